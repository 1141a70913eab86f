package dev.tuntas.server.orders;

import static dev.tuntas.server.orders.Orders.checkout;
import static dev.tuntas.server.orders.Orders.id;
import static dev.tuntas.server.orders.Orders.newKey;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import dev.tuntas.testservers.TestRedis;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A whole server with a real Redis that is well, away, mute, full, emptied or wrong: orders are
/// decided as if there were none.
class RedisIT {

  private static final String CHECK = "/api/v1/dispatcher/availability-check";
  private static final AtomicLong AREAS = new AtomicLong();

  @TempDir static Path data;

  private static TestRedis redis;
  private static TestServer server;
  private static Client admin;
  private static Client client;

  private final Orders orders = new Orders(client);
  private final long number = AREAS.incrementAndGet();
  private final String area = "TEST-" + number;
  private final double longitude = 10 + number;

  @BeforeAll
  static void start() {
    redis = TestRedis.start();
    server =
        TestServer.start(
            data,
            "--tuntas.redis.url=" + redis.url(),
            "--tuntas.redis.compare-every=50ms",
            "--tuntas.redis.timeout=500ms", // whatever else the machine does
            "--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY,
            "--tuntas.credentials.admin-key=" + TestServer.ADMIN_KEY);
    admin = new Client(server, TestServer.ADMIN_KEY);
    client = new Client(server, TestServer.CLIENT_KEY);
    admin("PUT", "/sim/bbd", "{\"driver_rate\":0,\"callback_delay_ms\":[10,20]}");
  }

  @AfterAll
  static void stop() throws Exception {
    server.stop();
    redis.close();
  }

  @BeforeEach
  void a_redis_that_is_well_and_an_area_without_drivers() throws Exception {
    until(() -> metric("redis_resting") == 0);
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
  void health_never_depends_on_it() {
    assertThat(admin.get("/actuator/health").status()).isEqualTo(200);
    assertThat(admin.get("/actuator/health/readiness").status()).isEqualTo(200);
  }

  private static Answer admin(String method, String path, String body) {
    var answer = admin.send(method, path, body);
    assertThat(answer.status()).as(answer.body()).isBetween(200, 299);
    return answer;
  }

  private static double metric(String sample) {
    return admin
        .get("/actuator/prometheus")
        .body()
        .lines()
        .filter(line -> line.startsWith(sample + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(sample.length() + 1)))
        .sum();
  }

  private static double calls(String result) {
    return metric("redis_calls_total{result=\"" + result + "\"}");
  }

  private String ride(String customer) {
    return """
    {"kind":"ride","customer_id":"%s","service_type":"RIDE","channel":"MYBB",
     "pickup_location":{"latitude":50.2,"longitude":%f},
     "dropoff_location":{"latitude":50.3,"longitude":%f},
     "payment":{"status":"UNPAID","amount":1000,"currency":"IDR"}}\
    """
        .formatted(customer, longitude + 0.2, longitude + 0.3);
  }

  private Answer check() {
    return client.post(
        CHECK,
        """
        {"pickup_location":{"latitude":50.2,"longitude":%f},"service_type":"RIDE","channel":"MYBB"}\
        """
            .formatted(longitude + 0.2));
  }

  private String set() {
    return "waiting:order:" + area + ":RIDE";
  }

  private void threshold(int orders) {
    admin(
        "PUT",
        "/api/v1/admin/dispatcher/areas/" + area + "/threshold",
        "{\"service_type\":\"RIDE\",\"max_waiting_orders\":" + orders + "}");
  }

  // The same decisions

  /// What Redis is like before every request.
  enum Mood {
    WELL(_ -> {}),
    EMPTIED(it -> it.commands().flushall()),
    NONSENSE(it -> each(it, key -> it.commands().set(key, "nonsense"))),
    OTHER_TYPES(
        it ->
            each(
                it,
                key -> {
                  it.commands().del(key);
                  it.commands().lpush(key, "x");
                })),
    STUCK_IN_PROGRESS(it -> each(it, key -> it.commands().set(key, "in_progress"))),
    ORDERS_OF_OTHERS(it -> forge(it, "ord_\\w+", "ord_00000000000000000000000000")),
    OTHER_FINGERPRINTS(it -> forge(it, "fingerprint\":\"\\w+", "fingerprint\":\"x")),
    FULL(it -> it.commands().configSet("maxmemory", "1")),
    MUTE(_ -> {}),
    AWAY(_ -> {});

    private final Consumer<TestRedis> before;

    Mood(Consumer<TestRedis> before) {
      this.before = before;
    }

    private static void each(TestRedis redis, Consumer<String> change) {
      redis.commands().keys("*").stream()
          .filter(key -> key.startsWith("idempotency_key:"))
          .forEach(change);
    }

    /// Not those that the server forgets just now: what it says of refused orders is taken back.
    private static void forge(TestRedis redis, String part, String by) {
      each(
          redis,
          key -> {
            var held = redis.commands().get(key);
            if (held != null) redis.commands().set(key, held.replaceAll(part, by));
          });
    }

    void begin() throws Exception {
      if (this == MUTE) redis.stopAnswering();
      if (this == AWAY) redis.kill();
    }

    void end() throws Exception {
      if (this == MUTE) redis.goOn();
      if (this == AWAY) redis.begin();
      redis.commands().configSet("maxmemory", "0");
      redis.commands().flushall();
    }
  }

  @ParameterizedTest
  @EnumSource(Mood.class)
  void every_order_is_decided_the_same(Mood mood) throws Exception {
    mood.begin();
    try {
      assertThat(story(mood))
          .containsExactly(
              "first: 202 A",
              "again: 202 A replayed",
              "other body: 422 idempotency_key_reused",
              "bad body: 422 idempotency_key_reused",
              "somebody else: 202 B",
              "bad body, new key: 422 out_of_range",
              "that key, good body: 202 C",
              "that key again: 202 C replayed",
              "declined: 402 payment_declined",
              "declined again: 402 payment_declined replayed",
              "first ride: 202 D",
              "second ride: 503 DISPATCHER_AREA_THRESHOLD_REACHED",
              "first ride again: 202 D replayed",
              "second ride again: 503 DISPATCHER_AREA_THRESHOLD_REACHED",
              "check: 503 DISPATCHER_AREA_THRESHOLD_REACHED");
    } finally {
      mood.end();
    }
  }

  private List<String> story(Mood mood) {
    var told = new Story(mood);
    var key = newKey();
    var good = checkout("pm_ok", "SKU-1", 1);
    var bad = good.replace("\"quantity\":1", "\"quantity\":-1");
    told.note("first", () -> orders.place(good, key));
    told.note("again", () -> orders.place(good, key));
    told.note("other body", () -> orders.place(checkout("pm_ok", "SKU-1", 2), key));
    told.note("bad body", () -> orders.place(bad, key));
    told.note("somebody else", () -> new Orders(admin).place(good, key));
    var second = newKey();
    told.note("bad body, new key", () -> orders.place(bad, second));
    told.note("that key, good body", () -> orders.place(good, second));
    told.note("that key again", () -> orders.place(good, second));
    var third = newKey();
    var declined = checkout("pm_declined", "SKU-1", 1);
    told.note("declined", () -> orders.place(declined, third, "Prefer", "wait=20"));
    told.note("declined again", () -> orders.place(declined, third));
    threshold(1);
    var fourth = newKey();
    var fifth = newKey();
    told.note("first ride", () -> orders.place(ride("USR-1"), fourth));
    told.note("second ride", () -> orders.place(ride("USR-2"), fifth));
    told.note("first ride again", () -> orders.place(ride("USR-1"), fourth));
    told.note("second ride again", () -> orders.place(ride("USR-2"), fifth));
    told.note("check", this::check);
    health_never_depends_on_it();
    return told.lines;
  }

  /// What was answered, with orders named A, B, C in the order in which they came.
  private static final class Story {

    final List<String> lines = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
    private final Mood mood;

    Story(Mood mood) {
      this.mood = mood;
    }

    void note(String what, Supplier<Answer> request) {
      mood.before.accept(redis);
      var answer = request.get();
      var line = what + ": " + answer.status();
      if (answer.status() < 300) {
        if (!ids.contains(id(answer))) ids.add(id(answer));
        line += " " + (char) ('A' + ids.indexOf(id(answer)));
      } else {
        line += " " + answer.code();
      }
      if (answer.header("Idempotency-Replayed").isPresent()) line += " replayed";
      lines.add(line);
    }
  }

  // What it is good for

  @Test
  void a_replay_is_found_in_redis_and_confirmed() throws Exception {
    double before = metric("idempotency_hits_total{layer=\"redis\"}");
    var key = newKey();
    var first = orders.place(checkout("pm_ok", "SKU-1", 1), key);
    until(() -> held(key).contains(id(first)));
    assertThat(held(key)).contains("\"status\":\"success\"");
    // A Redis that is slow for once is not waited for.
    until(
        () -> {
          assertThat(id(orders.place(checkout("pm_ok", "SKU-1", 1), key))).isEqualTo(id(first));
          return metric("idempotency_hits_total{layer=\"redis\"}") == before + 1;
        });
  }

  private static String held(String key) {
    var names = redis.commands().keys("idempotency_key:*:" + key);
    var value = names.isEmpty() ? null : redis.commands().get(names.getFirst());
    return value == null ? "" : value;
  }

  @Test
  void an_order_that_failed_is_noted_as_that_and_one_that_was_refused_not_at_all()
      throws Exception {
    var key = newKey();
    orders.place(checkout("pm_declined", "SKU-1", 1), key, "Prefer", "wait=20");
    until(() -> held(key).contains("payment_declined"));
    assertThat(held(key)).contains("\"status\":\"failure\"");
    var refused = newKey();
    orders.place("{\"kind\":\"checkout\"}", refused);
    until(() -> held(refused).isEmpty());
    threshold(0);
    orders.place(ride("USR-1"), refused);
    until(() -> held(refused).isEmpty());
  }

  @Test
  void a_redis_that_stops_answering_costs_a_few_timeouts_however_many_requests_come()
      throws Exception {
    var key = newKey();
    orders.place(checkout("pm_ok", "SKU-1", 1), key);
    double before = calls("timeout");
    redis.stopAnswering();
    try {
      for (int i = 0; i < 200; i++) {
        assertThat(orders.place(checkout("pm_ok", "SKU-1", 1), key).status()).isEqualTo(202);
      }
      assertThat(calls("timeout") - before).isBetween(1.0, 4.0);
      assertThat(metric("redis_resting")).isEqualTo(1);
    } finally {
      redis.goOn();
    }
  }

  // The waiting sets

  private long shown() {
    return check().json().path("current_waiting").asLong();
  }

  @Test
  void who_waits_is_in_the_set_until_it_waits_no_longer() throws Exception {
    var answer = orders.place(ride("USR-1"), newKey());
    until(() -> redis.commands().zrange(set(), 0, -1).equals(List.of(id(answer))));
    until(() -> redis.commands().hexists(config(), "max_waiting_orders"));
    assertThat(shown()).isEqualTo(1);
    orders.cancel(id(answer));
    until(() -> redis.commands().zcard(set()) == 0);
    until(() -> shown() == 0);
  }

  private String config() {
    return set().replace("waiting:order", "threshold:config");
  }

  @Test
  void sets_that_got_lost_or_disagree_are_built_anew_from_the_orders() throws Exception {
    var first = id(orders.place(ride("USR-1"), newKey()));
    var second = id(orders.place(ride("USR-2"), newKey()));
    for (Runnable harm :
        List.<Runnable>of(
            () -> redis.commands().flushall(),
            () -> redis.commands().zrem(set(), first),
            () -> redis.commands().zadd(set(), 1.0, "ghost"),
            () -> redis.commands().set(set(), "nonsense"))) {
      harm.run();
      until(
          () ->
              redis.commands().type(set()).equals("zset")
                  && Set.of(first, second)
                      .equals(Set.copyOf(redis.commands().zrange(set(), 0, -1))));
      until(() -> shown() == 2);
    }
  }
}
