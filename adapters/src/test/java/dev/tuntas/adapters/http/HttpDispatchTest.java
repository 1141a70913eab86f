package dev.tuntas.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.rides.Dispatch;
import dev.tuntas.rides.Dispatch.Booking;
import dev.tuntas.rides.Dispatch.Job;
import dev.tuntas.rides.Dispatch.Place;
import dev.tuntas.rides.Dispatch.Ride;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Failure.Barred;
import dev.tuntas.saga.Failure.Declined;
import dev.tuntas.saga.Failure.Unavailable;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Unclear;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is sent to the dispatch partner, and what its answers mean.
class HttpDispatchTest {

  private static final Ride RIDE =
      new Ride("ord_1", "cus-1", "RIDE", new Place(-6.2088, 106.8456), new Place(-6.1, 106.6));

  private final WireServer server = new WireServer();
  private final ServiceClient client =
      new ServiceClient(ServiceSettings.of(server.url().resolve("/partner/bbd"), "tk_1"));
  private final HttpDispatch bbd = new HttpDispatch(client);

  @AfterEach
  void close() throws Exception {
    client.close();
    server.close();
  }

  private List<Supplier<Outcome<?>>> calls() {
    return List.of(
        () -> bbd.book(RIDE, "ride-ord_1"),
        () -> bbd.job("bk 1"),
        () -> bbd.dispatch("bk 1", 2, "dispatch-ord_1-2"),
        () -> bbd.cancel("bk 1", "cancel-ord_1"));
  }

  private void sent(String line, String key, String body) throws InterruptedException {
    var received = server.received();
    assertThat(received.line()).isEqualTo(line + " HTTP/1.1");
    assertThat(received.body()).isEqualTo(body.replace('\'', '"'));
    assertThat(received.headers()).contains("Authorization: Bearer tk_1");
    if (!key.isEmpty()) assertThat(received.headers()).contains("Idempotency-Key: " + key);
  }

  @Test
  void a_booking() throws InterruptedException {
    server.answer(201, "", "{\"booking_id\":\"bk-1\",\"more\":1}");

    assertThat(bbd.book(RIDE, "ride-ord_1")).isEqualTo(Outcome.done(new Booking("bk-1")));
    sent(
        "POST /partner/bbd/api/bookings",
        "ride-ord_1",
        "{'order_id':'ord_1','idempotency_key':'ride-ord_1','customer_id':'cus-1',"
            + "'service_type':'RIDE','pickup_location':{'latitude':-6.2088,'longitude':106.8456},"
            + "'dropoff_location':{'latitude':-6.1,'longitude':106.6}}");
  }

  @Test
  void a_job() throws InterruptedException {
    server.answer(200, "", "{\"booking_id\":\"bk 1\",\"job_id\":\"J-1\",\"status\":\"waiting\"}");

    assertThat(bbd.job("bk 1")).isEqualTo(Outcome.done(new Job("J-1")));
    sent("GET /partner/bbd/api/job-status?booking_id=bk%201", "", "");
  }

  @ParameterizedTest
  @CsvSource({
    "driver_assigned, DRIVER_ASSIGNED",
    "PICKED_UP, PICKED_UP",
    "completed, COMPLETED",
    "cancelled_by_driver, CANCELLED_BY_DRIVER",
    "cancelled, CANCELLED",
    "on_a_break, ASSIGNED",
    "'', ASSIGNED"
  })
  void what_became_of_a_job_and_nothing_that_we_would_have_to_guess(
      String word, Dispatch.Status status) {
    server.answer(
        200,
        "",
        "{\"booking_id\":\"bk\",\"job_id\":\"J-1\",\"status\":\"%s\",\"driver_id\":\"drv-7\"}"
            .formatted(word));

    assertThat(bbd.job("bk")).isEqualTo(Outcome.done(new Job("J-1", status, "drv-7")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"booking_id\":\"bk\",\"job_id\":\"\",\"status\":\"booked\"}",
        "{\"booking_id\":\"bk\",\"job_id\":null}",
        "{\"job_id\":\"\"}"
      })
  void a_job_that_is_not_assigned_yet_is_pending(String body) {
    server.answer(200, "", body);

    assertThat(bbd.job("bk"))
        .isInstanceOfSatisfying(
            Unclear.class, unclear -> assertThat(unclear.doubt()).isEqualTo(Outcome.Doubt.PENDING));
  }

  @Test
  void a_booking_that_was_taken_back_gets_no_job() {
    server.answer(200, "", "{\"booking_id\":\"bk\",\"job_id\":\"\",\"status\":\"cancelled\"}");

    assertThat(bbd.job("bk"))
        .isEqualTo(Outcome.declined("booking_cancelled", "The booking was taken back."));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"booking_id\":\"bk\"}",
        "{\"booking_id\":\"bk\",\"job_id\":7}",
        "{\"booking_id\":\"other\",\"job_id\":\"J-1\"}"
      })
  void an_answer_that_makes_no_sense_tells_no_job(String body) {
    server.answer(200, "", body);

    assertThat(bbd.job("bk"))
        .isInstanceOfSatisfying(
            Unclear.class,
            unclear -> assertThat(unclear.doubt()).isEqualTo(Outcome.Doubt.NO_ANSWER));
  }

  @Test
  void an_attempt_and_a_cancellation() throws InterruptedException {
    server.answer(200, "", "{\"booking_id\":\"bk 1\"}");

    assertThat(bbd.dispatch("bk 1", 2, "d-2")).isEqualTo(Outcome.done(new Booking("bk 1")));
    sent(
        "POST /partner/bbd/api/bookings/bk%201/dispatch",
        "d-2", "{'attempt':2,'idempotency_key':'d-2'}");
    assertThat(bbd.cancel("bk 1", "c")).isEqualTo(Outcome.done(new Booking("bk 1")));
    sent("POST /partner/bbd/api/bookings/bk%201/cancel", "c", "{'idempotency_key':'c'}");
    assertThat(bbd.dispatch("bk 2", 1, "d-1")).isInstanceOf(Unclear.class);
  }

  @Test
  void an_answer_without_a_body_is_enough_for_these() {
    server.answer(204, "", "");

    assertThat(bbd.dispatch("bk", 1, "d")).isEqualTo(Outcome.done(new Booking("bk")));
    assertThat(bbd.cancel("bk", "c")).isEqualTo(Outcome.done(new Booking("bk")));
  }

  private void declined(String code) {
    failed(Declined.class, code);
  }

  private void failed(Class<? extends Failure> how, String code) {
    for (var call : calls()) {
      assertThat(call.get())
          .isInstanceOfSatisfying(
              Failed.class,
              failed -> {
                assertThat(failed.failure()).isInstanceOf(how);
                assertThat(failed.failure().code()).isEqualTo(code);
              });
    }
  }

  @Test
  void not_found_is_permanent() {
    server.answer(404, "", "");
    declined("booking_unknown");
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void a_key_that_is_refused_bars_us(int status) {
    server.answer(status, "", "");
    failed(Barred.class, "partner_unauthorized");
  }

  @Test
  void a_clear_no_is_permanent() {
    server.answer(422, "", "{\"code\":\"area_closed\",\"detail\":\"Nobody drives there.\"}");
    declined("area_closed");
  }

  @Test
  void too_many_calls_are_transient_and_say_when_to_come_back() {
    server.answer(429, "Retry-After: 7\r\n", "");

    for (var call : calls()) {
      assertThat(call.get())
          .isInstanceOfSatisfying(
              Failed.class,
              failed ->
                  assertThat(((Unavailable) failed.failure()).retryAfter())
                      .isEqualTo(Duration.ofSeconds(7)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 502, 503, 504, 408})
  void a_server_error_leaves_it_open(int status) {
    server.answer(status, "", "{\"booking_id\":\"bk 1\",\"job_id\":\"J-1\"}");

    for (var call : calls()) assertThat(call.get()).isInstanceOf(Unclear.class);
  }

  @Test
  void no_answer_in_time_leaves_it_open() throws InterruptedException {
    server.answer("").thenSaysNothingMore();
    var settings =
        new ServiceSettings(server.url(), "tk_1", Duration.ofSeconds(10), Duration.ofSeconds(1));

    try (var impatient = new ServiceClient(settings)) {
      assertThat(new HttpDispatch(impatient).book(RIDE, "ride-ord_1")).isInstanceOf(Unclear.class);
    }
    assertThat(server.received()).isNotNull();
  }

  @Test
  void nobody_there_means_that_nothing_happened() throws Exception {
    server.close();

    for (var call : calls()) {
      assertThat(call.get())
          .isInstanceOfSatisfying(
              Failed.class, failed -> assertThat(failed.failure()).isInstanceOf(Unavailable.class));
    }
  }
}
