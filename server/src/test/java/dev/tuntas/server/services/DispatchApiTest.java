package dev.tuntas.server.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tuntas.adapters.http.HttpDispatch;
import dev.tuntas.adapters.http.ServiceClient;
import dev.tuntas.adapters.http.ServiceSettings;
import dev.tuntas.rides.Dispatch;
import dev.tuntas.rides.Dispatch.Booking;
import dev.tuntas.rides.Dispatch.Place;
import dev.tuntas.rides.Dispatch.Ride;
import dev.tuntas.saga.Failure.Unavailable;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.simulator.SimulatedDispatch;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The simulated dispatch partner over HTTP.
class DispatchApiTest {

  private final ServicesServer server = ServicesServer.shared();
  private final ServiceClient client =
      new ServiceClient(
          ServiceSettings.of(
              URI.create(server.url() + "/partner/bbd"), ServicesServer.PARTNER_KEY));
  private final Dispatch bbd = new HttpDispatch(client);

  @AfterEach
  void close() {
    set("{'reset':true}");
    client.close();
  }

  private ServicesServer.Answer set(String changes) {
    return server.put("/sim/bbd", ServicesServer.ADMIN_KEY, changes);
  }

  private Outcome<Booking> book(String order) {
    var place = new Place(-6.2088, 106.8456);
    return bbd.book(new Ride(order, "cus-1", "RIDE", place, place), "ride-" + order);
  }

  private static String code(Outcome<?> outcome) {
    return outcome instanceof Failed<?>(var failure) ? failure.code() : "none";
  }

  @Test
  void a_ride_is_booked_gets_its_job_is_dispatched_and_cancelled() {
    set("{'assign_delay_ms':0,'driver_rate':0}");
    var booking = new Booking("bbd-ride-api-1");
    assertThat(book("api-1")).isEqualTo(Outcome.done(booking));
    assertThat(book("api-1")).isEqualTo(Outcome.done(booking));
    await()
        .untilAsserted(
            () ->
                assertThat(bbd.job("bbd-ride-api-1"))
                    .isEqualTo(Outcome.done(new Dispatch.Job("job-ride-api-1"))));
    assertThat(bbd.dispatch("bbd-ride-api-1", 1, "dispatch-api-1-1"))
        .isEqualTo(Outcome.done(booking));
    assertThat(bbd.cancel("bbd-ride-api-1", "cancel-api-1")).isEqualTo(Outcome.done(booking));
    assertThat(code(bbd.dispatch("bbd-ride-api-1", 2, "dispatch-api-1-2")))
        .isEqualTo("booking_cancelled");

    var ledger = server.get("/sim/bbd/ledger", ServicesServer.ADMIN_KEY).json().path("entries");
    assertThat(
            ledger
                .valueStream()
                .filter(entry -> entry.path("order_id").asString().equals("api-1"))
                .map(
                    entry ->
                        entry.path("operation").asString() + " " + entry.path("key").asString()))
        .containsExactly("book ride-api-1", "dispatch dispatch-api-1-1", "cancel cancel-api-1");
  }

  @Test
  void a_booking_without_a_job_is_pending_and_cannot_be_dispatched_yet() {
    set("{'assign_delay_ms':3600000}");
    book("api-2");
    assertThat(bbd.job("bbd-ride-api-2")).isInstanceOf(Outcome.Unclear.class);
    assertThat(bbd.dispatch("bbd-ride-api-2", 1, "dispatch-api-2"))
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.failure()).isInstanceOf(Unavailable.class));
    bbd.cancel("bbd-ride-api-2", "cancel-api-2");
    assertThat(code(bbd.job("bbd-ride-api-2"))).isEqualTo("booking_cancelled");
  }

  @Test
  void a_cancellation_by_key_that_comes_first_is_a_tombstone() {
    assertThat(bbd.cancel("ride-api-3", "cancel-api-3"))
        .isEqualTo(Outcome.done(new Booking("bbd-ride-api-3")));
    assertThat(code(book("api-3"))).isEqualTo("booking_cancelled");
  }

  @Test
  void what_nobody_booked_is_unknown() {
    assertThat(code(bbd.job("bbd-nothing"))).isEqualTo("booking_unknown");
    assertThat(code(bbd.cancel("bbd-nothing", "c"))).isEqualTo("booking_unknown");
  }

  @Test
  void beyond_the_rate_limit_it_says_when_to_come_back() {
    set("{'rate_limit_per_s':1}");
    await().until(() -> code(bbd.job("bbd-nothing")).equals("rate_limited"));
    var traffic = server.get("/sim/bbd/traffic", ServicesServer.ADMIN_KEY).json();
    assertThat(traffic.path("violations").intValue()).isPositive();
    assertThat(traffic.path("highest_per_second").intValue()).isGreaterThan(1);
  }

  @Test
  void behaviour_is_merged_and_restored() {
    var standard = server.get("/sim/bbd", ServicesServer.ADMIN_KEY).json();
    assertThat(standard.path("callback_rate").doubleValue()).isEqualTo(0.95);
    var changed = set("{'callback_rate':0,'callback_delay_ms':[10,20]}").json();
    assertThat(changed.path("callback_rate").doubleValue()).isZero();
    assertThat(changed.path("callback_delay_ms").toString()).isEqualTo("[10,20]");
    assertThat(changed.path("driver_rate")).isEqualTo(standard.path("driver_rate"));
    assertThat(set("{'reset':true}").json()).isEqualTo(standard);
    assertThat(set("{'callback_delay_ms':[2,1]}").code()).isEqualTo("out_of_range");
    assertThat(set("{'mood':1}").status()).isEqualTo(400);
  }

  @Test
  void nonsense_is_refused() {
    var path = "/partner/bbd/api/bookings";
    var key = ServicesServer.PARTNER_KEY;
    assertThat(server.postBy(key, path, "k", "{'order_id':'o'}").status()).isEqualTo(422);
    assertThat(server.postBy(key, path + "/bbd-x/dispatch", "k", "{'attempt':0}").code())
        .isEqualTo("out_of_range");
    assertThat(server.postBy(key, path + "/bbd-x/cancel", null, "").code())
        .isEqualTo("idempotency_key_missing");
    assertThat(server.get("/partner/bbd/api/job-status", key).code())
        .isEqualTo("parameter_invalid");
  }

  @Test
  void rides_go_where_the_url_says(@TempDir Path data) {
    assertThat(server.bean(Dispatch.class)).isInstanceOf(SimulatedDispatch.class);
    try (var here =
        ServicesServer.start(
            data,
            "--tuntas.partners.bbd.url=" + server.url() + "/partner/bbd",
            "--tuntas.partners.bbd.credential=" + ServicesServer.PARTNER_KEY)) {
      assertThat(here.bean(Dispatch.class)).isInstanceOf(HttpDispatch.class);
      assertThat(code(here.bean(Dispatch.class).job("bbd-nothing"))).isEqualTo("booking_unknown");
    }
  }
}
