package dev.tuntas.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.rides.Dispatch.Booking;
import dev.tuntas.rides.Dispatch.Job;
import dev.tuntas.rides.Dispatch.Place;
import dev.tuntas.rides.Dispatch.Ride;
import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.simulator.SimulatedDispatch.Traffic;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The dispatch partner in virtual time.
class SimulatedDispatchTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private record Heard(Instant at, DispatchEvent event) {}

  private final VirtualTime time = new VirtualTime();
  private final List<Heard> heard = new ArrayList<>();
  private final List<Duration> pauses = new ArrayList<>();
  private final Tables tables = Tables.inMemory(SimulatedDispatch.TABLES);
  private SimulatedDispatch bbd = start();

  private SimulatedDispatch start() {
    return new SimulatedDispatch(
        tables,
        new Random(1),
        pauses::add,
        time,
        time,
        event -> heard.add(new Heard(time.instant(), event)));
  }

  @AfterEach
  void close() {
    tables.close();
  }

  private void set(String field, Object value) {
    assertThat(bbd.change(Map.of(field, value))).isInstanceOf(Change.Changed.class);
  }

  private Outcome<Booking> book(String order) {
    var place = new Place(-6.2088, 106.8456);
    return bbd.book(new Ride(order, "cus-1", "RIDE", place, place), "ride-" + order);
  }

  private static String say(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Succeeded(Job(var id, _, _)) -> id;
      case Outcome.Succeeded(Booking(var id)) -> id;
      case Outcome.Succeeded(var other) -> String.valueOf(other);
      case Outcome.Failed(var failure) -> failure.code();
      case Outcome.Unclear(_, var doubt) -> doubt == Outcome.Doubt.PENDING ? "pending" : "unclear";
    };
  }

  private List<String> news() {
    return heard.stream().map(it -> it.event().type().text()).toList();
  }

  private List<String> ledger() {
    var lines = new ArrayList<String>();
    new Effects(tables).each(e -> lines.add(e.operation() + " " + e.key() + " " + e.orderId()));
    return lines;
  }

  @Test
  void a_booking_becomes_a_job_that_is_told() {
    set("callback_rate", 1);
    var began = time.instant();
    assertThat(say(book("o-1"))).isEqualTo("bbd-ride-o-1");
    assertThat(say(bbd.job("bbd-ride-o-1"))).isEqualTo("pending");

    time.pass(MINUTE);

    assertThat(say(bbd.job("bbd-ride-o-1"))).isEqualTo("job-ride-o-1");
    assertThat(news()).containsExactly("job.assigned");
    var event = heard.getFirst().event();
    assertThat(event.orderId()).isEqualTo("o-1");
    assertThat(event.bookingId()).isEqualTo("bbd-ride-o-1");
    assertThat(event.jobId()).isEqualTo("job-ride-o-1");
    assertThat(Duration.between(began, event.occurredAt()))
        .isBetween(Duration.ofMillis(500), Duration.ofMillis(1_500));
    assertThat(Duration.between(event.occurredAt(), heard.getFirst().at()))
        .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(3));
  }

  @Test
  void a_key_books_once_and_belongs_to_one_order() {
    book("o-1");
    time.pass(MINUTE);
    assertThat(say(book("o-1"))).isEqualTo("bbd-ride-o-1");
    var place = new Place(0, 0);
    var other = bbd.book(new Ride("o-2", "cus-1", "RIDE", place, place), "ride-o-1");
    assertThat(say(other)).isEqualTo("idempotency_key_reused");
    assertThat(ledger()).containsExactly("book ride-o-1 o-1");
    assertThat(say(bbd.job("bbd-ride-o-1"))).isEqualTo("job-ride-o-1");
  }

  @Test
  void an_attempt_finds_a_driver_who_drives() {
    set("callback_delay_ms", 0);
    set("callback_rate", 0);
    book("o-1");
    assertThat(say(bbd.dispatch("bbd-ride-o-1", 1, "d-1"))).isEqualTo("job_not_assigned");
    time.pass(MINUTE);

    assertThat(say(bbd.dispatch("bbd-ride-o-1", 1, "d-1"))).isEqualTo("bbd-ride-o-1");
    assertThat(say(bbd.dispatch("bbd-ride-o-1", 1, "d-1"))).isEqualTo("bbd-ride-o-1");
    time.pass(MINUTE);

    assertThat(news()).containsExactly("driver.assigned", "driver.picked_up", "trip.completed");
    assertThat(heard)
        .allSatisfy(it -> assertThat(it.event().driverId()).startsWith("drv-"))
        .allSatisfy(it -> assertThat(it.event().jobId()).isEqualTo("job-ride-o-1"));
    assertThat(ledger()).containsExactly("book ride-o-1 o-1", "dispatch d-1 o-1");
    assertThat(time.isQuiet()).isTrue();
  }

  @Test
  void an_attempt_that_finds_nobody_says_so_at_its_end() {
    set("callback_rate", 0);
    set("driver_rate", 0);
    book("o-1");
    time.pass(MINUTE);
    bbd.dispatch("bbd-ride-o-1", 1, "d-1");

    time.pass(Duration.ofSeconds(119));
    assertThat(news()).isEmpty();
    time.pass(Duration.ofSeconds(5));
    assertThat(news()).containsExactly("dispatch.no_driver");
    assertThat(heard.getFirst().event().attempt()).isEqualTo(1);
    assertThat(heard.getFirst().event().driverId()).isNull();

    set("driver_rate", 1);
    bbd.dispatch("bbd-ride-o-1", 2, "d-2");
    time.pass(MINUTE);
    assertThat(news()).endsWith("driver.assigned", "driver.picked_up", "trip.completed");
    assertThat(heard.getLast().event().attempt()).isEqualTo(2);
  }

  @Test
  void who_asks_for_a_driver_again_hears_of_the_one_there_is() {
    bbd.change(Map.of("callback_rate", 0, "trip_callback_rate", 0));
    book("o-1");
    time.pass(MINUTE);
    bbd.dispatch("bbd-ride-o-1", 1, "d-1");
    time.pass(MINUTE);
    assertThat(news()).isEmpty();

    set("trip_callback_rate", 1);
    bbd.dispatch("bbd-ride-o-1", 2, "d-2");
    bbd.dispatch("bbd-ride-o-1", 3, "d-3");
    time.pass(MINUTE);
    assertThat(news()).containsOnly("trip.completed");
    assertThat(heard.stream().map(Heard::event).distinct()).hasSize(1);
    assertThat(ledger()).containsExactly("book ride-o-1 o-1", "dispatch d-1 o-1");
  }

  @Test
  void a_driver_may_turn_back() {
    bbd.change(Map.of("driver_cancel_rate", 1, "callback_delay_ms", 0, "callback_rate", 0));
    book("o-1");
    time.pass(MINUTE);
    bbd.dispatch("bbd-ride-o-1", 1, "d-1");
    time.pass(MINUTE);

    assertThat(news()).containsExactly("driver.assigned", "driver.cancelled");
    assertThat(heard.getLast().event().reason()).isNotBlank();
    assertThat(state("o-1")).isEqualTo("CANCELLED_BY_DRIVER drv");
  }

  private String state(String order) {
    var job = ((Outcome.Succeeded<Job>) bbd.job("bbd-ride-" + order)).data();
    return job.status() + (job.driverId() == null ? "" : " " + job.driverId().substring(0, 3));
  }

  @Test
  void what_is_told_by_callbacks_can_be_asked_for() {
    bbd.change(
        Map.of("trip_callback_rate", 0, "search_ms", 5_000, "pick_up_ms", 5_000, "trip_ms", 5_000));
    book("o-1");
    time.pass(MINUTE);
    assertThat(state("o-1")).isEqualTo("ASSIGNED");
    bbd.dispatch("bbd-ride-o-1", 1, "d-1");
    var seen = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      seen.add(state("o-1"));
      time.pass(Duration.ofSeconds(5));
    }
    assertThat(seen)
        .containsExactly("ASSIGNED", "DRIVER_ASSIGNED drv", "PICKED_UP drv", "COMPLETED drv");
  }

  @Test
  void what_we_cancelled_was_not_left_by_its_driver() {
    book("o-1");
    time.pass(MINUTE);
    bbd.dispatch("bbd-ride-o-1", 1, "d-1");
    bbd.cancel("bbd-ride-o-1", "c-1");
    assertThat(state("o-1")).isEqualTo("CANCELLED");
  }

  @Test
  void what_was_cancelled_goes_no_further() {
    set("callback_rate", 0);
    book("o-1");
    assertThat(say(bbd.cancel("bbd-ride-o-1", "c-1"))).isEqualTo("bbd-ride-o-1");
    assertThat(say(bbd.cancel("bbd-ride-o-1", "c-1"))).isEqualTo("bbd-ride-o-1");
    assertThat(say(bbd.cancel("bbd-ride-o-1", "c-2"))).isEqualTo("bbd-ride-o-1");
    time.pass(MINUTE);

    assertThat(say(bbd.job("bbd-ride-o-1"))).isEqualTo("booking_cancelled");
    assertThat(say(bbd.dispatch("bbd-ride-o-1", 1, "d-1"))).isEqualTo("booking_cancelled");
    assertThat(ledger()).containsExactly("book ride-o-1 o-1", "cancel c-1 o-1");
    assertThat(news()).isEmpty();
  }

  @Test
  void a_ride_that_is_over_is_not_cancelled_any_more() {
    book("o-1");
    time.pass(MINUTE);
    bbd.dispatch("bbd-ride-o-1", 1, "d-1");
    time.pass(MINUTE);

    assertThat(say(bbd.cancel("bbd-ride-o-1", "c-1"))).isEqualTo("bbd-ride-o-1");
    assertThat(ledger()).containsExactly("book ride-o-1 o-1", "dispatch d-1 o-1");
  }

  @Test
  void a_booking_that_comes_after_its_cancellation_finds_a_tombstone() {
    assertThat(say(bbd.cancel("ride-o-1", "c-1"))).isEqualTo("bbd-ride-o-1");
    assertThat(say(book("o-1"))).isEqualTo("booking_cancelled");
    time.pass(MINUTE);
    assertThat(ledger()).isEmpty();
    assertThat(news()).isEmpty();
  }

  @Test
  void a_booking_whose_answer_was_lost_is_cancelled_by_its_key() {
    set("lost_reply_rate", 1);
    assertThat(say(book("o-1"))).isEqualTo("unclear");
    set("lost_reply_rate", 0);
    assertThat(say(bbd.cancel("ride-o-1", "c-1"))).isEqualTo("bbd-ride-o-1");
    assertThat(ledger()).containsExactly("book ride-o-1 o-1", "cancel c-1 o-1");
  }

  @Test
  void a_booking_that_nobody_made_is_unknown() {
    assertThat(say(bbd.job("bbd-x"))).isEqualTo("booking_unknown");
    assertThat(say(bbd.dispatch("bbd-x", 1, "d"))).isEqualTo("booking_unknown");
    assertThat(say(bbd.cancel("bbd-x", "c"))).isEqualTo("booking_unknown");
  }

  @Test
  void callbacks_get_lost_and_come_twice_as_often_as_it_is_told() {
    bbd.change(Map.of("callback_rate", 0.5, "duplicate_rate", 0.5, "rate_limit_per_s", 100_000));
    for (int i = 0; i < 1_000; i++) book("o-" + i);
    time.pass(MINUTE);

    var told = new HashSet<>(heard.stream().map(it -> it.event().deliveryId()).toList());
    assertThat(told.size()).isBetween(440, 560);
    assertThat(heard.size() - told.size()).isBetween(180, 340);
    assertThat(heard.stream().map(Heard::event).distinct()).hasSameSizeAs(told);
    for (int i = 0; i < 1_000; i++) {
      assertThat(say(bbd.job("bbd-ride-o-" + i))).isEqualTo("job-ride-o-" + i);
    }
  }

  @Test
  void news_comes_out_of_order_if_it_is_told_to() {
    set("callback_rate", 0);
    book("o-1");
    time.pass(MINUTE);
    bbd.dispatch("bbd-ride-o-1", 1, "d-1");
    set("reorder_rate", 1);
    time.pass(Duration.ofSeconds(4)); // the driver is found, and nobody is told in time
    set("reorder_rate", 0);
    time.pass(MINUTE);

    assertThat(news())
        .containsExactlyInAnyOrder("driver.assigned", "driver.picked_up", "trip.completed")
        .doesNotContainSequence("driver.assigned", "driver.picked_up");
  }

  @Test
  void some_jobs_are_late() {
    bbd.change(Map.of("late_rate", 1, "callback_rate", 1));
    book("o-1");
    time.pass(Duration.ofMinutes(10));
    assertThat(news()).isEmpty();
    time.pass(Duration.ofMinutes(6));
    assertThat(news()).containsExactly("job.assigned");
  }

  @Test
  void a_question_may_fail_while_all_else_is_well() {
    book("o-1");
    set("poll_error_rate", 1);
    assertThat(say(bbd.job("bbd-ride-o-1"))).isEqualTo("unclear");
    assertThat(say(book("o-2"))).isEqualTo("bbd-ride-o-2");
  }

  @Test
  void a_partner_that_is_down_does_nothing() {
    set("down", true);
    assertThat(say(book("o-1"))).isEqualTo("unreachable");
    assertThat(say(bbd.job("bbd-ride-o-1"))).isEqualTo("unreachable");
    assertThat(ledger()).isEmpty();
    assertThat(bbd.traffic().calls()).isZero();
  }

  @Test
  void too_many_calls_within_any_second_are_refused_and_counted() {
    set("rate_limit_per_s", 3);
    time.pass(Duration.ofMillis(900));
    for (int i = 0; i < 3; i++) assertThat(say(book("o-" + i))).startsWith("bbd-");
    time.pass(Duration.ofMillis(999));

    assertThat(book("o-3"))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed ->
                assertThat(failed.failure())
                    .isInstanceOfSatisfying(
                        Failure.Unavailable.class,
                        away -> {
                          assertThat(away.code()).isEqualTo("rate_limited");
                          assertThat(away.retryAfter()).isEqualTo(Duration.ofSeconds(1));
                        }));
    assertThat(ledger()).hasSize(3);
    assertThat(bbd.traffic()).isEqualTo(new Traffic(4, 4, 1));

    time.pass(Duration.ofMillis(1));
    assertThat(say(book("o-3"))).isEqualTo("bbd-ride-o-3");
    assertThat(bbd.traffic()).isEqualTo(new Traffic(5, 4, 1));
  }

  @Test
  void after_a_restart_it_goes_on_where_it_was() {
    set("callback_rate", 1);
    book("o-1");
    time.pass(Duration.ofMillis(1_500)); // there is a job, and a callback on its way
    book("o-2"); // there is no job
    assertThat(say(bbd.job("bbd-ride-o-1"))).isEqualTo("job-ride-o-1");
    assertThat(news()).isEmpty();

    time.forget();
    bbd = start();
    set("callback_rate", 1);
    bbd.resume();
    time.pass(MINUTE);

    assertThat(heard.stream().map(it -> it.event().orderId()))
        .containsExactlyInAnyOrder("o-1", "o-2");
    assertThat(time.isQuiet()).isTrue();

    time.forget();
    bbd = start();
    bbd.resume();
    time.pass(MINUTE);
    assertThat(heard).as("what was told is not told again").hasSize(2);
  }

  @Test
  void while_it_is_paused_nothing_happens_by_itself_and_then_all_that_was_due() {
    set("callback_rate", 1);
    set("paused", true);
    set("rate_limit_per_s", 10_000);
    for (int i = 1; i <= 1_200; i++) book("o-" + i);
    time.pass(MINUTE);
    assertThat(heard).isEmpty();
    assertThat(say(bbd.job("bbd-ride-o-1"))).isEqualTo("pending");

    set("paused", false);
    time.pass(MINUTE);
    assertThat(heard).hasSize(1_200);
    assertThat(time.isQuiet()).isTrue();
  }

  @Test
  void a_timer_that_is_early_loses_nothing() {
    bbd =
        new SimulatedDispatch(
            tables,
            new Random(1),
            pauses::add,
            time,
            (wait, task) -> time.after(wait.minusMillis(wait.toMillis() > 1 ? 1 : 0), task),
            event -> heard.add(new Heard(time.instant(), event)));
    set("callback_rate", 1);
    book("o-1");
    time.pass(MINUTE);
    assertThat(news()).containsExactly("job.assigned");
  }

  @Test
  void two_that_wake_a_booking_move_it_once() {
    set("callback_rate", 1);
    book("o-1");
    bbd.resume();
    time.pass(MINUTE);
    assertThat(news()).containsExactly("job.assigned");
  }

  @Test
  void a_listener_that_fails_loses_the_callback_and_nothing_else() {
    bbd =
        new SimulatedDispatch(
            tables,
            new Random(1),
            pauses::add,
            time,
            time,
            _ -> {
              throw new IllegalStateException("nobody is there");
            });
    set("callback_rate", 1);
    book("o-1");
    time.pass(MINUTE);
    assertThat(say(bbd.job("bbd-ride-o-1"))).isEqualTo("job-ride-o-1");
    assertThat(time.isQuiet()).isTrue();
  }
}
