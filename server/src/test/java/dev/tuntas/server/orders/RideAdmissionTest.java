package dev.tuntas.server.orders;

import static dev.tuntas.server.orders.Orders.id;
import static dev.tuntas.server.orders.Orders.newKey;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Areas that fill up, seen from outside. Each test has an area of its own; the many rides that are
/// left over trouble no server but this one.
class RideAdmissionTest {

  private static final AtomicLong AREAS = new AtomicLong();

  @TempDir static Path data;

  private static TestServer server;
  private static Client admin;
  private static Orders orders;

  private final long number = AREAS.incrementAndGet();
  private final String area = "TEST-" + number;
  private final double longitude = 10 + number;

  @BeforeAll
  static void start() {
    server =
        TestServer.start(
            data,
            "--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY,
            "--tuntas.credentials.admin-key=" + TestServer.ADMIN_KEY,
            "--tuntas.credentials.service-key=" + TestServer.SERVICE_KEY);
    admin = new Client(server, TestServer.ADMIN_KEY);
    orders = new Orders(new Client(server, TestServer.CLIENT_KEY));
  }

  @AfterAll
  static void stop() {
    server.stop();
  }

  @BeforeEach
  void anAreaWithoutDrivers() {
    admin("PUT", "/sim/bbd", "{\"driver_rate\":0,\"callback_delay_ms\":[10,20]}");
    var square =
        "[[%1$f,50],[%2$f,50],[%2$f,50.5],[%1$f,50.5],[%1$f,50]]"
            .formatted(longitude, longitude + 0.5);
    admin(
        "PUT",
        "/api/v1/admin/dispatcher/areas/" + area,
        """
        {"name":"Test","geofence":{"type":"Polygon","coordinates":[%s]},"geohash":[],
         "service_type":["RIDE"],"priority":1,"enabled":true}\
        """
            .formatted(square));
  }

  @AfterEach
  void usualPartner() {
    admin("PUT", "/sim/bbd", "{\"reset\":true}");
  }

  private static Answer admin(String method, String path, String body) {
    var answer = admin.send(method, path, body);
    assertThat(answer.status()).as(answer.body()).isBetween(200, 299);
    return answer;
  }

  private void threshold(int orders) {
    admin(
        "PUT",
        "/api/v1/admin/dispatcher/areas/" + area + "/threshold",
        "{\"service_type\":\"RIDE\",\"max_waiting_orders\":" + orders + "}");
  }

  private String ride(String loyalty) {
    return """
    {"kind":"ride","customer_id":"USR-1","service_type":"RIDE","channel":"MYBB",
     "loyalty_level":"%s","pickup_location":{"latitude":50.2,"longitude":%f},
     "dropoff_location":{"latitude":50.3,"longitude":%f},
     "payment":{"status":"UNPAID","amount":1000,"currency":"IDR"}}\
    """
        .formatted(loyalty, longitude + 0.2, longitude + 0.3);
  }

  private long waiting() {
    return admin
        .get("/api/v1/admin/dispatcher/areas/status")
        .json()
        .path("areas")
        .valueStream()
        .filter(it -> it.path("area_id").asString().equals(area))
        .mapToLong(it -> it.path("waiting_count").asLong())
        .sum();
  }

  @Test
  void five_hundred_at_once_never_push_an_area_past_its_limits() throws Exception {
    threshold(100);
    var most = new AtomicLong();
    var over = new AtomicBoolean();
    var answers = new ArrayList<Answer>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var looker =
          threads.submit(
              () -> {
                while (!over.get()) {
                  most.accumulateAndGet(waiting(), Math::max);
                  LockSupport.parkNanos(10_000_000);
                }
              });
      var calls = new ArrayList<Callable<Answer>>();
      for (int i = 0; i < 500; i++) {
        var loyalty = i % 5 == 0 ? "VOYAGER" : "EXPLORER";
        calls.add(() -> orders.place(ride(loyalty), newKey()));
      }
      for (var answer : threads.invokeAll(calls)) answers.add(answer.get());
      over.set(true);
      looker.get();
    }
    long accepted = answers.stream().filter(it -> it.status() == 202).count();
    assertThat(accepted).isBetween(100L, 120L);
    assertThat(most.get()).isBetween(1L, 120L);
    assertThat(waiting()).isEqualTo(accepted);
    var refused = answers.stream().filter(it -> it.status() == 503).toList();
    assertThat(refused).hasSize((int) (500 - accepted));
    assertThat(refused).extracting(Answer::code).containsOnly("DISPATCHER_AREA_THRESHOLD_REACHED");
    assertThat(refused).allMatch(it -> it.header("Retry-After").isPresent());
  }

  @Test
  void a_slot_is_given_back_when_the_ride_is_cancelled_and_the_order_knows_its_area()
      throws Exception {
    var answer = orders.place(ride("EXPLORER"), newKey());
    assertThat(answer.status()).isEqualTo(202);
    assertThat(orders.show(id(answer)).json().path("area_id").asString()).isEqualTo(area);
    assertThat(waiting()).isEqualTo(1);
    orders.cancel(id(answer));
    until(() -> waiting() == 0);
  }

  @Test
  void a_slot_is_given_back_when_a_driver_is_found() throws Exception {
    admin("PUT", "/sim/bbd", "{\"driver_rate\":1,\"search_ms\":[10,20],\"callback_rate\":1}");
    var answer = orders.place(ride("EXPLORER"), newKey());
    until(() -> !orders.status(id(answer)).matches("PENDING_JOB_ID|ASSIGNED"));
    until(() -> waiting() == 0);
  }

  @Test
  void a_repeated_key_is_answered_even_when_the_area_is_full() {
    threshold(1);
    var key = newKey();
    var first = orders.place(ride("EXPLORER"), key);
    assertThat(first.status()).isEqualTo(202);
    var refused = newKey();
    assertThat(orders.place(ride("EXPLORER"), refused).status()).isEqualTo(503);
    var again = orders.place(ride("EXPLORER"), key);
    assertThat(again.status()).isEqualTo(202);
    assertThat(id(again)).isEqualTo(id(first));
    threshold(5);
    admin(
        "POST",
        "/api/v1/admin/dispatcher/areas/" + area + "/override",
        "{\"status\":\"FORCE_AVAILABLE\",\"reason\":\"test\"}");
    assertThat(orders.place(ride("EXPLORER"), refused).status()).isEqualTo(202);
  }

  @Test
  void an_override_refuses_and_ends_by_itself() throws Exception {
    assertThat(forceBusyUntil(Instant.now().plusSeconds(3600)).status()).isEqualTo(200);
    assertThat(orders.place(ride("ELITE"), newKey()).status()).isEqualTo(503);
    var end = new AtomicReference<Instant>();
    until(
        () -> {
          end.set(Instant.now().plusSeconds(2));
          return forceBusyUntil(end.get()).status() == 200;
        });
    until(() -> orders.place(ride("EXPLORER"), newKey()).status() == 202);
    // The server's time is up to a second ahead of the machine's, after a slow beat.
    assertThat(Instant.now().plusSeconds(1)).isAfterOrEqualTo(end.get());
  }

  /// Refused as `time_invalid` if that is over when it is read.
  private Answer forceBusyUntil(Instant end) {
    var answer =
        admin.post(
            "/api/v1/admin/dispatcher/areas/" + area + "/override",
            "{\"status\":\"FORCE_BUSY\",\"reason\":\"test\",\"expires_at\":\"" + end + "\"}");
    if (answer.status() != 200) assertThat(answer.body()).contains("time_invalid");
    return answer;
  }

  @Test
  void a_pickup_outside_of_all_areas_is_refused() {
    var answer =
        orders.place(ride("EXPLORER").replace("\"latitude\":50.2", "\"latitude\":-70"), newKey());
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("DISPATCHER_AREA_NOT_FOUND");
  }
}
