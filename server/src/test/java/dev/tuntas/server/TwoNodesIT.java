package dev.tuntas.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.testservers.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two servers on one PostgreSQL.
final class TwoNodesIT {

  private static final String KEYS = "/api/v1/admin/keys";
  private static final String METRICS = "/actuator/prometheus";
  private static final String NO_ORDER = "/api/v1/orders/x";

  /// So few that even a slow machine asks more often.
  private static final int PER_SECOND = 5;

  private static final int BURST = 200;

  @TempDir static Path folder;
  private static TestServer one;
  private static TestServer two;
  private static String adminKey;

  @BeforeAll
  static void start() throws Exception {
    var url = "--tuntas.database.url=" + TestPostgres.newDatabase();
    one = TestServer.start(folder.resolve("one"), url);
    two =
        TestServer.start(
            folder.resolve("two"),
            url,
            "--tuntas.rate-limit.per-second=" + PER_SECOND,
            "--tuntas.rate-limit.burst=" + BURST);
    var properties = new Properties();
    try (var reader = Files.newBufferedReader(folder.resolve("one/credentials.properties"))) {
      properties.load(reader);
    }
    adminKey = properties.getProperty("admin.key");
  }

  @AfterAll
  static void stop() {
    if (two != null) two.stop();
    if (one != null) one.stop();
  }

  @Test
  void only_the_first_makes_keys_and_they_work_on_both() {
    assertThat(folder.resolve("two/credentials.properties")).doesNotExist();
    assertThat(new Client(one, adminKey).get(METRICS).status()).isEqualTo(200);
    assertThat(new Client(two, adminKey).get(METRICS).status()).isEqualTo(200);
  }

  @Test
  void a_key_revoked_on_one_node_fails_on_the_other_within_a_second() {
    var admin = new Client(one, adminKey);
    var made = admin.post(KEYS, "{\"client\":\"gone\",\"roles\":[\"viewer\"]}").json();
    var onTwo = new Client(two, made.get("key").stringValue());
    changesWithinASecond(onTwo, 401, 404);
    admin.send("DELETE", KEYS + "/" + made.get("id").stringValue(), "");
    changesWithinASecond(onTwo, 404, 401);
  }

  @Test
  void a_cursor_of_one_node_goes_on_at_the_other() {
    var admin = new Client(one, adminKey);
    var cursor = admin.get(KEYS + "?limit=1").json().get("next_cursor").stringValue();
    var next = new Client(two, adminKey).get(KEYS + "?limit=1&cursor=" + cursor);
    assertThat(next.status()).isEqualTo(200);
    assertThat(next.json().get("items").size()).isEqualTo(1);
  }

  @Test
  void a_client_that_calls_too_often_is_told_when_to_come_back() {
    var key =
        new Client(one, adminKey)
            .post(KEYS, "{\"client\":\"eager\",\"roles\":[\"viewer\"]}")
            .json()
            .get("key")
            .stringValue();
    var eager = new Client(two, key);
    changesWithinASecond(eager, 401, 404);
    var answers =
        IntStream.range(0, 3 * BURST).parallel().mapToObj(_ -> eager.get(NO_ORDER)).toList();
    var refused = answers.stream().filter(answer -> answer.status() == 429).findFirst();
    assertThat(refused)
        .hasValueSatisfying(
            answer -> {
              assertThat(answer.code()).isEqualTo("rate_limited");
              assertThat(answer.header("Retry-After")).hasValue("1");
            });
    assertThat(new Client(two, adminKey).get(METRICS).status()).isEqualTo(200);
  }

  private static final String ORDER =
      """
      {"kind":"checkout","customer_id":"cus-1","payment_method":"pm_lost_reply",
       "lines":[{"sku":"SKU-1","quantity":1}]}\
      """;

  @Test
  void the_same_key_at_both_nodes_at_once_is_one_order_that_both_can_show() throws Exception {
    var nodes = List.of(new Client(one, adminKey), new Client(two, adminKey));
    for (int round = 0; round < 20; round++) {
      var key = "both-" + round;
      var requests =
          IntStream.range(0, 6)
              .<Callable<Answer>>mapToObj(
                  i -> () -> nodes.get(i % 2).post("/api/v1/orders", ORDER, "Idempotency-Key", key))
              .toList();
      var ids = new HashSet<String>();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (var answer : threads.invokeAll(requests)) {
          assertThat(answer.get().status()).isIn(202, 429);
          if (answer.get().status() == 202) {
            ids.add(answer.get().json().get("order_id").stringValue());
          }
        }
      }
      assertThat(ids).hasSize(1);
      var path = "/api/v1/orders/" + ids.iterator().next();
      for (var node : nodes) assertThat(node.get(path).status()).isEqualTo(200);
    }
  }

  @Test
  void an_order_is_waited_for_at_either_node_and_charged_once() {
    var first = new Client(one, adminKey);
    var placed = first.post("/api/v1/orders", ORDER, "Idempotency-Key", "waited");
    var waited =
        new Client(two, adminKey)
            .post("/api/v1/orders", ORDER, "Idempotency-Key", "waited", "Prefer", "wait=15");
    assertThat(placed.status()).isEqualTo(202);
    assertThat(waited.status()).isEqualTo(201);
    var id = waited.json().get("order_id").stringValue();
    assertThat(id).isEqualTo(placed.json().get("order_id").stringValue());
    var charges =
        first
            .get("/sim/bank/ledger")
            .json()
            .get("entries")
            .valueStream()
            .filter(entry -> entry.get("order_id").stringValue().equals(id))
            .count();
    assertThat(charges).isEqualTo(1);
  }

  /// What is asked more than a second after this began has the new answer, however long that takes.
  private static void changesWithinASecond(Client client, int before, int after) {
    long start = System.nanoTime();
    while (true) {
      long asked = System.nanoTime() - start;
      int status = client.get(NO_ORDER).status();
      if (status == after) return;
      assertThat(status).isEqualTo(before);
      assertThat(Duration.ofNanos(asked)).isLessThan(Duration.ofSeconds(1));
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
