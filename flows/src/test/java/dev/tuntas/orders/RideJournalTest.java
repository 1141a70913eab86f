package dev.tuntas.orders;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tuntas.engine.Ruling;
import dev.tuntas.money.Money;
import dev.tuntas.rides.Dispatch;
import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.rides.Trip;
import dev.tuntas.saga.Outcome;
import dev.tuntas.testkit.simulation.VirtualEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is counted of rides, in virtual time.
class RideJournalTest {

  private static final String ID = "ord_1";

  private Supplier<Outcome<Dispatch.Job>> job = () -> Outcome.pending("not yet assigned");
  private Supplier<Outcome<Dispatch.Booking>> dispatch =
      () -> Outcome.done(new Dispatch.Booking("b-1"));

  private final List<String> told = new ArrayList<>();
  private final RideJournal journal = new RideJournal(this::note, () -> this.engine.now());
  private final RideSaga sagas =
      new RideSaga(new Partner(), new FakeServices(), RideSaga.Settings.standard());
  private final VirtualEngine engine = new VirtualEngine(journal, List.of(), sagas.asking());
  private int delivery;

  private final class Partner implements Dispatch {
    @Override
    public Outcome<Booking> book(Ride ride, String key) {
      return Outcome.done(new Booking("b-1"));
    }

    @Override
    public Outcome<Job> job(String bookingId) {
      return job.get();
    }

    @Override
    public Outcome<Booking> dispatch(String bookingId, int attempt, String key) {
      return dispatch.get();
    }

    @Override
    public Outcome<Booking> cancel(String bookingId, String key) {
      return Outcome.done(new Booking(bookingId));
    }
  }

  private void note(RideMetric metric, double value, String... labels) {
    told.add(metric + " " + Math.round(value) + " " + String.join(" ", labels));
  }

  private long times(String line) {
    return told.stream().filter(it -> it.strip().equals(line)).count();
  }

  private void start(String area) {
    start(area, "PAID");
  }

  private void start(String area, String payment) {
    var origin = new Order.Origin("app", "USR-1", "ride", "token");
    var wish =
        new Trip.Wish(
            "RIDE",
            "MYBB",
            "VOYAGER",
            area,
            new Dispatch.Place(-6.2, 106.8),
            new Dispatch.Place(-6.1, 106.6),
            payment,
            null,
            engine.now(),
            engine.now().plus(ofMinutes(30)),
            null);
    engine.start(sagas.asking(), ID, Order.ride(origin, Trip.of(wish), new Money(150_000, "IDR")));
  }

  private void tell(DispatchEvent.Type type) {
    var event =
        new DispatchEvent(
            "cb-" + ++delivery, type, ID, "b-1", "job-7", "drv-3", null, 1, engine.now());
    for (var signal : event.signals()) engine.tell(ID, signal);
  }

  @Test
  void a_callback_and_a_driver_are_counted_once_each_however_often_they_are_told() {
    start("JKT");
    engine.run(ofSeconds(3));
    for (int i = 0; i < 2; i++) tell(DispatchEvent.Type.JOB_ASSIGNED);
    engine.run(ofSeconds(40));
    for (int i = 0; i < 2; i++) tell(DispatchEvent.Type.DRIVER_ASSIGNED);
    tell(DispatchEvent.Type.PICKED_UP);
    tell(DispatchEvent.Type.COMPLETED);

    assertThat(told)
        .map(String::strip)
        .containsExactly(
            "JOB_IDS 1",
            "RETRIEVAL_DURATION 3",
            "VIA_CALLBACK 1",
            "ATTEMPTS 1 JKT RIDE assigned",
            "ATTEMPT_DURATION 40 JKT RIDE",
            "ATTEMPTS_PER_ORDER 1",
            "LIFETIME 43 JKT RIDE assigned");
  }

  @Test
  void a_job_id_that_was_asked_for_counts_its_questions() {
    start("JKT");
    engine.run(ofSeconds(6));
    job = () -> Outcome.unclear("500");
    engine.run(ofSeconds(3));
    job = () -> Outcome.done(new Dispatch.Job("job-7"));
    engine.run(ofSeconds(10));

    assertThat(times("RETRIEVAL_ATTEMPTS 1")).isEqualTo(3);
    assertThat(times("RETRIEVAL_FAILED 1 unclear")).isEqualTo(1);
    assertThat(times("RETRIEVAL_SUCCESS 1")).isEqualTo(1);
    assertThat(times("VIA_PROACTIVE 1")).isEqualTo(1);
    assertThat(times("VIA_CALLBACK 1")).isZero();
    assertThat(times("RETRIEVAL_ATTEMPTS_PER_ORDER 3")).isEqualTo(1);
    assertThat(journal.attemptsMean()).isCloseTo(3, within(0.001));
    engine.run(ofMinutes(6));
    assertThat(journal.attemptsMean()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "booking_unknown, not_found",
    "partner_unauthorized, unauthorized",
    "booking_cancelled, cancelled",
    "anything, other"
  })
  void a_question_that_is_refused_for_good_has_its_reason(String code, String reason) {
    job = () -> Outcome.declined(code, "no");
    start("JKT");
    engine.run(ofSeconds(6));

    assertThat(times("RETRIEVAL_FAILED 1 " + reason)).isEqualTo(1);
    assertThat(times("RETRIEVAL_EXCEEDED 1")).isZero();
  }

  @Test
  void a_job_id_that_never_came_is_counted_as_exceeded() {
    start("JKT");
    engine.run(ofMinutes(31));

    assertThat(times("RETRIEVAL_EXCEEDED 1")).isEqualTo(1);
    assertThat(times("CANCELS 1 JKT RIDE lifetime_timeout")).isEqualTo(1);
    assertThat(times("LIFETIME 1800 JKT RIDE cancelled_timeout")).isEqualTo(1);
    assertThat(told).noneMatch(it -> it.startsWith("ATTEMPTS "));
  }

  @Test
  void a_ride_without_a_driver_counts_every_attempt_that_timed_out() {
    start("JKT");
    tell(DispatchEvent.Type.JOB_ASSIGNED);
    engine.run(ofMinutes(31));

    // 30 minutes hold 13 attempts of 2 min with 15 s between them, and the beginning of one more.
    assertThat(times("ATTEMPTS 1 JKT RIDE timeout")).isEqualTo(14);
    assertThat(times("ATTEMPT_DURATION 120 JKT RIDE")).isEqualTo(13);
    assertThat(times("ATTEMPT_DURATION 45 JKT RIDE")).isEqualTo(1);
    assertThat(times("RETRIES 1 JKT RIDE")).isEqualTo(13);
    assertThat(times("ATTEMPTS_PER_ORDER 14")).isEqualTo(1);
    assertThat(times("LIFETIME 1800 JKT RIDE cancelled_timeout")).isEqualTo(1);
    assertThat(times("RETRIEVAL_EXCEEDED 1")).isZero();
  }

  @Test
  void an_attempt_that_could_not_be_started_is_none() {
    dispatch = () -> Outcome.unavailable("unreachable", "connection refused");
    start("JKT");
    tell(DispatchEvent.Type.JOB_ASSIGNED);
    engine.run(ofSeconds(50));
    dispatch = () -> Outcome.done(new Dispatch.Booking("b-1"));
    engine.run(ofSeconds(30));
    assertThat(told).noneMatch(it -> it.startsWith("ATTEMPTS ") || it.startsWith("RETRIES "));
    tell(DispatchEvent.Type.DRIVER_ASSIGNED);
    assertThat(times("ATTEMPTS 1 JKT RIDE assigned")).isEqualTo(1);
  }

  @Test
  void a_cancellation_by_the_user_ends_the_wait_and_is_no_timeout() {
    start("JKT");
    tell(DispatchEvent.Type.JOB_ASSIGNED);
    engine.run(ofSeconds(60));
    engine.rule(ID, Ruling.cancel("app", "no longer wanted"));

    assertThat(times("CANCELS 1 JKT RIDE user")).isEqualTo(1);
    assertThat(times("LIFETIME 60 JKT RIDE cancelled_user")).isEqualTo(1);
    assertThat(times("ATTEMPTS 1 JKT RIDE timeout")).isZero();
    assertThat(times("ATTEMPTS_PER_ORDER 1")).isEqualTo(1);
  }

  @Test
  void news_of_a_driver_alone_counts_a_job_id_and_an_assignment() {
    start("JKT");
    tell(DispatchEvent.Type.DRIVER_ASSIGNED);

    assertThat(times("JOB_IDS 1")).isEqualTo(1);
    assertThat(times("ATTEMPTS 1 JKT RIDE assigned")).isEqualTo(1);
    assertThat(told).filteredOn(it -> it.startsWith("LIFETIME ")).hasSize(1);
  }

  @Test
  void a_ride_outside_of_all_areas_names_neither_area_nor_service() {
    start(null);
    tell(DispatchEvent.Type.DRIVER_ASSIGNED);

    assertThat(times("ATTEMPTS 1 other other assigned")).isEqualTo(1);
  }

  @Test
  void every_metric_of_an_area_has_all_its_label_values_from_the_start() {
    assertThat(RideMetric.CANCELS.labelValues("JKT", "RIDE"))
        .containsExactly(
            List.of("JKT", "RIDE", "user"),
            List.of("JKT", "RIDE", "lifetime_timeout"),
            List.of("JKT", "RIDE", "server_busy"));
    assertThat(RideMetric.JOB_IDS.labelValues(null, null)).containsExactly(List.of());
  }
}
