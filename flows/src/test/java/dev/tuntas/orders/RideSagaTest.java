package dev.tuntas.orders;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.Progress;
import dev.tuntas.engine.ProgressCodec;
import dev.tuntas.engine.Ruling;
import dev.tuntas.money.Money;
import dev.tuntas.rides.Dispatch;
import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.rides.Trip;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.testkit.simulation.VirtualEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rides in virtual time, with a partner who answers what the test says.
class RideSagaTest {

  private static final String ID = "ord_1";
  private static final Duration LIFE = ofMinutes(30);

  /// What the partner was asked, and when.
  private final List<String> asked = new ArrayList<>();

  private Supplier<Outcome<Dispatch.Booking>> booking =
      () -> Outcome.done(new Dispatch.Booking("b-1"));
  private Supplier<Outcome<Dispatch.Job>> job = () -> Outcome.pending("not yet assigned");
  private Supplier<Outcome<Dispatch.Booking>> cancelling =
      () -> Outcome.done(new Dispatch.Booking("b-1"));

  private Trip.@Nullable Attempts attempts;

  private final FakeServices services = new FakeServices();
  private final RideSaga sagas =
      new RideSaga(new Partner(), services, RideSaga.Settings.standard());
  private final VirtualEngine engine = new VirtualEngine(sagas.asking(), sagas.waiting());
  private int delivery;

  private final class Partner implements Dispatch {
    @Override
    public Outcome<Booking> book(Ride ride, String key) {
      note("book " + key);
      return booking.get();
    }

    @Override
    public Outcome<Job> job(String bookingId) {
      note("job? " + bookingId);
      return job.get();
    }

    @Override
    public Outcome<Booking> dispatch(String bookingId, int attempt, String key) {
      note("dispatch " + key);
      return Outcome.done(new Booking(bookingId));
    }

    @Override
    public Outcome<Booking> cancel(String bookingId, String key) {
      note("cancel " + (bookingId.equals("b-1") ? "" : bookingId + " ") + key);
      return cancelling.get();
    }
  }

  private void note(String what) {
    asked.add(elapsed().toSeconds() + " " + what);
  }

  private Duration elapsed() {
    return Duration.between(acceptedAt, engine.now());
  }

  private final java.time.Instant acceptedAt = engine.now();

  private void start(String payment) {
    start(sagas.asking(), payment);
  }

  private void start(SagaDefinition<Order> story, String payment) {
    var origin = new Order.Origin("app", "USR-1", story.toString(), "token");
    var wish =
        new Trip.Wish(
            "RIDE",
            "MYBB",
            "VOYAGER",
            "JKT-PUSAT",
            new Dispatch.Place(-6.2, 106.8),
            new Dispatch.Place(-6.1, 106.6),
            payment,
            null,
            acceptedAt,
            acceptedAt.plus(LIFE),
            attempts);
    engine.start(story, ID, Order.ride(origin, Trip.of(wish), new Money(150_000, "IDR")));
  }

  private void tell(DispatchEvent.Type type) {
    tell(type, "cb-" + ++delivery);
  }

  private void tell(DispatchEvent.Type type, String deliveryId) {
    var event =
        new DispatchEvent(deliveryId, type, ID, "b-1", "job-7", "drv-3", null, 1, engine.now());
    for (var signal : event.signals()) engine.tell(ID, signal);
  }

  private void pay(String status) {
    engine.tell(ID, new Signal("payments", "pay-" + ++delivery, RideSaga.PAYMENT, status));
  }

  private Standing standing() {
    var line = ProgressCodec.decode(engine.row(ID).progress());
    return Standing.of(engine.data(sagas.asking(), ID), line.progress(), line.trail());
  }

  private String status() {
    return standing().status();
  }

  private List<OrderEvent> events() {
    return engine.notices().stream().map(OrderNotices::read).toList();
  }

  private List<String> types() {
    return engine.notices().stream().map(Outbox.Entry::type).toList();
  }

  private List<String> alerts() {
    return events().stream().map(OrderEvent::alert).filter(it -> it != null).toList();
  }

  private String body(String type) {
    return engine.notices().stream()
        .filter(it -> it.type().equals(type))
        .map(Outbox.Entry::body)
        .findFirst()
        .orElseThrow();
  }

  @Nested
  class OnItsWay {

    @Test
    void a_ride_goes_from_state_to_state_as_the_partner_tells() {
      start("PAID");
      assertThat(status()).isEqualTo("PENDING_JOB_ID");
      engine.run(ofSeconds(2));
      tell(DispatchEvent.Type.JOB_ASSIGNED);
      assertThat(status()).isEqualTo("ASSIGNED");
      tell(DispatchEvent.Type.DRIVER_ASSIGNED);
      assertThat(status()).isEqualTo("DRIVER_ASSIGNED");
      assertThat(engine.data(sagas.asking(), ID).ride().driver()).isEqualTo("drv-3");
      tell(DispatchEvent.Type.PICKED_UP);
      assertThat(status()).isEqualTo("PICKED_UP");
      tell(DispatchEvent.Type.COMPLETED);
      assertThat(status()).isEqualTo("COMPLETED");
      assertThat(asked).containsExactly("0 book book-ord_1", "2 dispatch dispatch-ord_1-1");
      assertThat(types())
          .containsExactly(
              "order.accepted",
              "order.job_id_retrieved",
              "order.moved",
              "order.moved",
              "order.confirmed");
    }

    @Test
    void a_callback_that_comes_tells_how_the_job_id_was_learned() {
      start("PAID");
      engine.run(ofSeconds(3));
      tell(DispatchEvent.Type.JOB_ASSIGNED);
      assertThat(body("order.job_id_retrieved"))
          .contains("\"job_id\":\"job-7\"", "\"method\":\"callback\"", "\"attempts\":0", "PT3S");
    }

    @Test
    void without_a_callback_the_partner_is_asked_after_five_seconds_and_less_and_less_often() {
      start("PAID");
      engine.run(ofMinutes(4));
      var polls = asked.stream().filter(it -> it.endsWith("job? b-1")).toList();
      assertThat(polls.getFirst()).isEqualTo("5 job? b-1");
      assertThat(polls).hasSizeBetween(7, 10);
      job = () -> Outcome.done(new Dispatch.Job("job-7"));
      engine.run(ofMinutes(2));
      assertThat(status()).isEqualTo("ASSIGNED");
      assertThat(body("order.job_id_retrieved"))
          .contains("\"method\":\"proactive\"", "\"attempts\":" + (polls.size() + 1));
    }

    @Test
    void callback_and_poll_race_and_the_second_changes_nothing() {
      start("PAID");
      job = () -> Outcome.done(new Dispatch.Job("job-7"));
      engine.run(ofSeconds(5));
      assertThat(status()).isEqualTo("ASSIGNED");
      tell(DispatchEvent.Type.JOB_ASSIGNED);
      assertThat(status()).isEqualTo("ASSIGNED");
      assertThat(types()).containsOnlyOnce("order.job_id_retrieved");
    }

    @Test
    void a_callback_before_the_booking_s_answer_is_kept() {
      booking = () -> Outcome.unclear("no answer");
      start("PAID");
      tell(DispatchEvent.Type.JOB_ASSIGNED);
      booking = () -> Outcome.done(new Dispatch.Booking("b-1"));
      engine.run(ofSeconds(3));
      assertThat(status()).isEqualTo("ASSIGNED");
      assertThat(asked).noneMatch(it -> it.contains("job?"));
    }

    @Test
    void a_callback_that_comes_twice_counts_once() {
      start("PAID");
      tell(DispatchEvent.Type.JOB_ASSIGNED, "same");
      tell(DispatchEvent.Type.JOB_ASSIGNED, "same");
      assertThat(types()).containsOnlyOnce("order.job_id_retrieved");
      assertThat(asked.stream().filter(it -> it.contains("dispatch"))).hasSize(1);
    }

    @Test
    void news_of_the_driver_tells_the_job_id_too() {
      start("PAID");
      tell(DispatchEvent.Type.COMPLETED);
      assertThat(status()).isEqualTo("COMPLETED");
    }

    @Test
    void drivers_are_looked_for_every_two_minutes_and_fifteen_seconds() {
      start("PAID");
      tell(DispatchEvent.Type.JOB_ASSIGNED);
      engine.run(ofMinutes(5));
      assertThat(asked)
          .containsExactly(
              "0 book book-ord_1",
              "0 dispatch dispatch-ord_1-1",
              "120 job? b-1",
              "135 dispatch dispatch-ord_1-2",
              "255 job? b-1",
              "270 dispatch dispatch-ord_1-3");
    }

    @Test
    void drivers_are_looked_for_as_was_agreed_when_the_ride_was_accepted() {
      attempts = new Trip.Attempts(ofSeconds(30), ofSeconds(15), ofSeconds(60));
      start("PAID");
      tell(DispatchEvent.Type.JOB_ASSIGNED);
      engine.run(ofMinutes(6));
      assertThat(asked.stream().filter(it -> it.contains("dispatch ")))
          .containsExactly(
              "0 dispatch dispatch-ord_1-1",
              "45 dispatch dispatch-ord_1-2",
              "105 dispatch dispatch-ord_1-3",
              "195 dispatch dispatch-ord_1-4",
              "285 dispatch dispatch-ord_1-5");
    }

    private void found(Dispatch.Status status) {
      job = () -> Outcome.done(new Dispatch.Job("job-7", status, "drv-3"));
    }

    @Test
    void a_driver_of_whom_nobody_told_is_found_by_asking_and_no_other_is_looked_for() {
      start("PAID");
      tell(DispatchEvent.Type.JOB_ASSIGNED);
      engine.run(ofMinutes(1));
      found(Dispatch.Status.DRIVER_ASSIGNED);
      engine.run(ofMinutes(2));
      assertThat(status()).isEqualTo("DRIVER_ASSIGNED");
      assertThat(engine.data(sagas.asking(), ID).ride().driver()).isEqualTo("drv-3");
      assertThat(asked.stream().filter(it -> it.contains("dispatch "))).hasSize(1);
    }

    @Test
    void a_pick_up_and_an_arrival_that_nobody_told_are_asked_for_without_haste() {
      start("PAID");
      tell(DispatchEvent.Type.DRIVER_ASSIGNED);
      found(Dispatch.Status.DRIVER_ASSIGNED);
      engine.run(ofMinutes(9));
      assertThat(status()).isEqualTo("DRIVER_ASSIGNED");
      assertThat(asked.stream().filter(it -> it.contains("job?"))).hasSizeBetween(2, 4);
      found(Dispatch.Status.PICKED_UP);
      engine.run(ofMinutes(7));
      assertThat(status()).isEqualTo("PICKED_UP");
      found(Dispatch.Status.COMPLETED);
      engine.run(ofMinutes(7));
      assertThat(status()).isEqualTo("COMPLETED");
    }

    @Test
    void a_driver_who_left_without_a_word_is_found_out() {
      start("UNPAID");
      tell(DispatchEvent.Type.JOB_ASSIGNED);
      found(Dispatch.Status.CANCELLED_BY_DRIVER);
      engine.run(ofMinutes(5));
      assertThat(status()).isEqualTo("CANCELLED_BY_DRIVER");
      assertThat(asked.stream().filter(it -> it.contains("dispatch "))).hasSize(1);
    }

    @Test
    void with_a_driver_on_the_way_a_partner_who_does_not_know_the_booking_ends_nothing() {
      start("PAID");
      tell(DispatchEvent.Type.PICKED_UP);
      job = () -> Outcome.declined("booking_unknown", "There is no such booking.");
      engine.run(ofMinutes(10));
      assertThat(status()).isEqualTo("PICKED_UP");
      tell(DispatchEvent.Type.COMPLETED);
      assertThat(status()).isEqualTo("COMPLETED");
    }

    @Test
    void an_order_outside_the_rollout_waits_for_the_callback_alone() {
      start(sagas.waiting(), "UNPAID");
      engine.run(LIFE.minus(ofMillis(1)));
      assertThat(asked).containsExactly("0 book book-ord_1");
      assertThat(status()).isEqualTo("PENDING_JOB_ID");
      engine.run(ofSeconds(1));
      assertThat(status()).isEqualTo("CANCELLED_BY_SYSTEM");
    }
  }

  @Test
  void what_was_paid_elsewhere_is_entered_in_the_books_once() {
    start("SETTLEMENT");
    assertThat(services.calls).containsExactly("charge outside-ord_1");
  }

  @Test
  void what_was_not_paid_is_not_entered() {
    start("PENDING");
    assertThat(services.calls).isEmpty();
  }

  /// R5, to the letter.
  @Nested
  class GivenUp {

    @ParameterizedTest
    @CsvSource({
      "PAID, CANCELLED_BY_SYSTEM_AFTER_PAYMENT, MANUAL_REFUND_REQUIRED",
      "SETTLEMENT, CANCELLED_BY_SYSTEM_AFTER_PAYMENT, MANUAL_REFUND_REQUIRED",
      "PENDING, CANCELLED_BY_SYSTEM,",
      "UNPAID, CANCELLED_BY_SYSTEM,",
      "ON_HOLD, PENDING_JOB_ID, UNEXPECTED_STATE"
    })
    void without_a_job_id_after_thirty_minutes(String payment, String status, String alert) {
      start(payment);
      engine.run(LIFE.minus(ofMillis(1)));
      assertThat(status()).isEqualTo("PENDING_JOB_ID");
      assertThat(standing().needsAttention()).isFalse();
      engine.run(ofSeconds(1));
      assertThat(status()).isEqualTo(status);
      assertThat(standing().needsAttention()).isEqualTo(status.equals("PENDING_JOB_ID"));
      assertThat(alerts()).isEqualTo(alert == null ? List.of() : List.of(alert));
      assertThat(standing().reason())
          .isEqualTo(
              new OrderEvent.Reason("JOB_ID_TIMEOUT", "Job ID retrieval timeout after 30 minutes"));
      assertThat(asked.getLast()).isEqualTo("1800 cancel cancel-ord_1");
      assertThat(types().contains("order.cancelled_after_payment_no_job_id"))
          .isEqualTo(status.endsWith("AFTER_PAYMENT"));
    }

    @Test
    void the_event_for_analysis_says_how_often_the_partner_was_asked() {
      start("PAID");
      engine.run(LIFE);
      long polls = asked.stream().filter(it -> it.contains("job?")).count();
      assertThat(body("order.cancelled_after_payment_no_job_id"))
          .contains(
              "\"status\":\"CANCELLED_BY_SYSTEM_AFTER_PAYMENT\"",
              "\"payment_status\":\"PAID\"",
              "\"total_attempts\":" + polls,
              "\"action\":\"MANUAL_REFUND_REQUIRED\"");
    }

    @Test
    void a_booking_that_the_partner_refuses_is_given_up_at_once() {
      booking = () -> Outcome.declined("no_service", "We do not drive there.");
      start("PAID");
      engine.run(ofSeconds(1));
      assertThat(status()).isEqualTo("CANCELLED_BY_SYSTEM_AFTER_PAYMENT");
      assertThat(alerts()).containsExactly("MANUAL_REFUND_REQUIRED");
      assertThat(asked).containsExactly("0 book book-ord_1");
    }

    @Test
    void a_booking_that_the_partner_no_longer_knows_is_given_up_at_once() {
      job = () -> Outcome.declined("booking_unknown", "There is no such booking.");
      start("UNPAID");
      engine.run(ofSeconds(6));
      assertThat(status()).isEqualTo("CANCELLED_BY_SYSTEM");
      assertThat(alerts()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
      "PAID, CANCELLED_BY_SYSTEM_AFTER_PAYMENT, MANUAL_REFUND_REQUIRED",
      "UNPAID, CANCELLED_BY_SYSTEM,"
    })
    void without_a_driver_after_thirty_minutes(String payment, String status, String alert) {
      start(payment);
      tell(DispatchEvent.Type.JOB_ASSIGNED);
      engine.run(LIFE);
      assertThat(status()).isEqualTo(status);
      assertThat(standing().reason().code()).isEqualTo("LIFETIME_TIMEOUT");
      assertThat(alerts()).isEqualTo(alert == null ? List.of() : List.of(alert));
      assertThat(types()).doesNotContain("order.cancelled_after_payment_no_job_id");
      assertThat(asked.getLast()).isEqualTo("1800 cancel cancel-ord_1");
    }

    @Test
    void a_payment_on_the_way_counts_even_while_a_call_is_under_way() {
      booking =
          () -> {
            pay("PAID");
            return Outcome.done(new Dispatch.Booking("b-1"));
          };
      start("PENDING");
      engine.run(LIFE);
      assertThat(status()).isEqualTo("CANCELLED_BY_SYSTEM_AFTER_PAYMENT");
      assertThat(alerts()).containsExactly("MANUAL_REFUND_REQUIRED");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PAID", "SETTLEMENT"})
    void a_payment_after_the_end_is_given_back_by_hand_and_the_ride_stays_what_it_is(String word) {
      start("UNPAID");
      engine.run(LIFE);
      pay(word);
      pay("PAID");
      assertThat(status()).isEqualTo("CANCELLED_BY_SYSTEM");
      assertThat(alerts()).containsExactly("MANUAL_REFUND_REQUIRED");
    }

    @Test
    void a_job_that_is_assigned_after_we_gave_up_is_cancelled_at_the_partner() {
      start("UNPAID");
      engine.run(LIFE);
      tell(DispatchEvent.Type.JOB_ASSIGNED, "late");
      assertThat(asked.getLast()).isEqualTo("1800 cancel cancel-ord_1/late");
      assertThat(status()).isEqualTo("CANCELLED_BY_SYSTEM");
    }

    @Test
    void the_customer_hears_it_at_once_even_if_the_partner_cannot_be_told() {
      cancelling = () -> Outcome.unavailable("down", "The partner is away.");
      start("PAID");
      engine.run(LIFE.plus(ofMillis(1)));
      assertThat(engine.progress(ID)).isInstanceOf(Progress.Undoing.class);
      assertThat(status()).isEqualTo("CANCELLED_BY_SYSTEM_AFTER_PAYMENT");
      assertThat(types()).contains("order.cancelled", "support.manual_action_required");
      engine.run(ofMinutes(2));
      assertThat(alerts()).containsExactly("MANUAL_REFUND_REQUIRED", "COMPENSATION_FAILED");
      assertThat(events().getLast().status()).isEqualTo(status());
    }
  }

  @Nested
  class GivenBack {

    private void begun() {
      engine.tell(ID, RideSaga.refundBegun("refund-ord_1"));
    }

    private void made() {
      for (var signal : RideSaga.refundMade("refund-ord_1")) engine.tell(ID, signal);
    }

    private List<String> told() {
      return events().stream()
          .filter(it -> it.type().equals("order.moved") || it.type().equals("order.refunded"))
          .map(it -> it.type() + " " + it.status())
          .toList();
    }

    @Test
    void what_was_cancelled_after_payment_is_refunded_in_two_steps() {
      start("PAID");
      engine.run(LIFE);
      begun();
      assertThat(status()).isEqualTo("REFUND_PENDING");
      assertThat(standing().isFinal()).isFalse();
      assertThat(standing().reason().code()).isEqualTo("JOB_ID_TIMEOUT");
      made();
      assertThat(status()).isEqualTo("REFUNDED");
      assertThat(standing().isFinal()).isTrue();
      assertThat(told()).containsExactly("order.moved REFUND_PENDING", "order.refunded REFUNDED");
    }

    @Test
    void even_while_the_partner_cannot_be_told() {
      cancelling = () -> Outcome.unavailable("down", "The partner is away.");
      start("PAID");
      engine.run(LIFE.plus(ofMillis(1)));
      begun();
      assertThat(status()).isEqualTo("REFUND_PENDING");
      engine.run(ofMinutes(2));
      assertThat(alerts()).contains("COMPENSATION_FAILED");
      assertThat(events().getLast().status()).isEqualTo("REFUND_PENDING");
      made();
      assertThat(status()).isEqualTo("REFUNDED");
    }

    @Test
    void a_ride_that_a_person_cancelled_keeps_its_status() {
      start("PAID");
      engine.rule(ID, Ruling.cancel("app", "no longer wanted"));
      begun();
      assertThat(status()).isEqualTo("CANCELLED_BY_USER");
      made();
      assertThat(status()).isEqualTo("CANCELLED_BY_USER");
      assertThat(told()).containsExactly("order.refunded CANCELLED_BY_USER");
    }

    @Test
    void a_ride_that_goes_on_hears_of_it_when_it_is_over() {
      start("PAID");
      begun();
      engine.run(LIFE);
      assertThat(status()).isEqualTo("CANCELLED_BY_SYSTEM_AFTER_PAYMENT");
      made();
      assertThat(told()).containsExactly("order.moved REFUND_PENDING", "order.refunded REFUNDED");
    }
  }

  @Test
  void a_ride_whose_driver_says_nothing_for_a_day_is_looked_at_by_a_person() {
    start("PAID");
    tell(DispatchEvent.Type.PICKED_UP);
    engine.run(Duration.ofHours(25));
    assertThat(status()).isEqualTo("PICKED_UP");
    assertThat(standing().needsAttention()).isTrue();
    assertThat(alerts()).containsExactly("UNEXPECTED_STATE");
  }

  @Nested
  class Cancelled {

    private void cancel() {
      engine.rule(ID, Ruling.cancel("app", "no longer wanted"));
      engine.run(ofMillis(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void by_the_user_at_any_moment_before_the_end(int told) {
      start("UNPAID");
      var news =
          List.of(
              DispatchEvent.Type.JOB_ASSIGNED,
              DispatchEvent.Type.DRIVER_ASSIGNED,
              DispatchEvent.Type.PICKED_UP);
      for (int i = 0; i < told; i++) tell(news.get(i));
      cancel();
      assertThat(status()).isEqualTo("CANCELLED_BY_USER");
      assertThat(asked.getLast()).isEqualTo("0 cancel cancel-ord_1");
      assertThat(alerts()).isEmpty();
    }

    @Test
    void by_the_user_after_paying_keeps_its_status_and_gets_a_ticket() {
      start("PAID");
      tell(DispatchEvent.Type.JOB_ASSIGNED);
      cancel();
      assertThat(status()).isEqualTo("CANCELLED_BY_USER");
      assertThat(alerts()).containsExactly("MANUAL_REFUND_REQUIRED");
    }

    @Test
    void by_the_driver() {
      start("UNPAID");
      tell(DispatchEvent.Type.DRIVER_ASSIGNED);
      tell(DispatchEvent.Type.DRIVER_CANCELLED);
      assertThat(status()).isEqualTo("CANCELLED_BY_DRIVER");
    }

    @Test
    void not_any_more_when_it_has_arrived() {
      start("PAID");
      tell(DispatchEvent.Type.COMPLETED);
      cancel();
      assertThat(status()).isEqualTo("COMPLETED");
    }

    @Test
    void while_the_booking_is_in_doubt_it_is_taken_back_by_its_key_and_not_made_once_more() {
      booking = () -> Outcome.unclear("no answer");
      start("UNPAID");
      engine.run(ofSeconds(1));
      engine.rule(ID, Ruling.cancel("app", "no longer wanted"));
      booking = () -> Outcome.declined("no_service", "Not now.");
      engine.run(ofSeconds(60));
      assertThat(status()).isEqualTo("CANCELLED_BY_USER");
      assertThat(asked).hasSize(2);
      assertThat(asked.getLast()).endsWith("cancel book-ord_1 cancel-ord_1");
    }
  }
}
