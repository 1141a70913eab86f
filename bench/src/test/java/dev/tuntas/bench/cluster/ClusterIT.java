package dev.tuntas.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bench.Progress;
import dev.tuntas.bench.server.ServerProgram;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A small cluster of real processes.
@Execution(ExecutionMode.CONCURRENT)
class ClusterIT {

  /// Four to five seconds, and some more where nine processes start on few cores.
  private static final Duration TAKE_OVER = Duration.ofSeconds(8);

  /// What passes between two looks counts for no more: the machine may have stood still.
  private static final Duration GAP_MAX = Duration.ofMillis(100);

  private static final Duration BETWEEN = Duration.ofMillis(25);
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private static final String OWNER =
      """
      select n.name from tuntas_saga s join tuntas_node n on n.id = s.owner where s.id = ?
      """;

  /// A line that was written by somebody who is not the process of this name.
  private static final String WENT_ON =
      """
      select h.at from tuntas_story h join tuntas_node n on n.id = h.node
       where h.saga_id = ? and n.name <> ? and h.at >= ?
       limit 1
      """;

  @TempDir private static Path folder;
  private static final HttpClient http = HttpClient.newHttpClient();
  private static Cluster cluster;

  @BeforeAll
  static void start() throws Exception {
    var program = ServerProgram.installed().shortLived();
    var settings = ClusterSettings.usual(program, folder).web(1);
    cluster = Cluster.of(settings.with(List.of("--tuntas.ride.news-wait=5s")));
    cluster.start(Progress.onTerminal());
    swiftPartner();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) cluster.close();
  }

  /// Rides that are over in a second.
  private static void swiftPartner() throws Exception {
    var body =
        """
        {"assign_delay_ms":100,"callback_delay_ms":100,"search_ms":100,"pick_up_ms":100,"trip_ms":100}\
        """;
    var request =
        HttpRequest.newBuilder(cluster.first(Kind.SIMULATOR).address().resolve("/sim/bbd"))
            .header("Authorization", "Bearer " + cluster.keys().admin())
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(body))
            .build();
    assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }

  @Test
  void an_order_of_each_kind_reaches_its_end() throws Exception {
    var from = LocalDate.now().plusDays(9);
    var checkout = place("checkout", checkout("pm_ok"));
    var booking =
        place(
            "booking",
            """
            {"kind":"booking","customer_id":"cus-1","payment_method":"pm_ok","room_id":"ROOM-STD",
             "rooms":1,"check_in":"%s","check_out":"%s"}\
            """
                .formatted(from, from.plusDays(1)));
    var ride =
        place(
            "ride",
            """
            {"kind":"ride","customer_id":"cus-1","service_type":"RIDE","channel":"MYBB",
             "pickup_location":{"latitude":-6.2088,"longitude":106.8456},
             "dropoff_location":{"latitude":-6.1256,"longitude":106.6559},
             "payment":{"status":"PAID","amount":50000,"currency":"IDR"}}\
            """);

    awaitStatus(checkout, "CONFIRMED");
    awaitStatus(booking, "CONFIRMED");
    awaitStatus(ride, "COMPLETED");
  }

  @Test
  void what_a_killed_worker_ran_goes_on_elsewhere_within_five_seconds() throws Exception {
    var order = place("slow", checkout("pm_slow"));
    var owner = until(() -> find(OWNER, order));
    var worker = memberNamed(owner);

    var at = Instant.now();
    worker.kill();
    var took = untilTimed(() -> find(WENT_ON, order, owner, at.toEpochMilli()).isPresent());

    assertThat(took).isLessThanOrEqualTo(TAKE_OVER);
    awaitStatus(order, "CONFIRMED");
    assertThat(charges(order)).isEqualTo(1);
  }

  private static Member memberNamed(String owner) {
    var pid = Long.parseLong(owner.replaceFirst("@.*", ""));
    return cluster.members().stream()
        .filter(member -> member.pid().orElse(0) == pid)
        .findFirst()
        .orElseThrow();
  }

  private static String checkout(String method) {
    return """
    {"kind":"checkout","customer_id":"cus-1","payment_method":"%s",
     "lines":[{"sku":"SKU-1","quantity":1}]}\
    """
        .formatted(method);
  }

  private static String place(String key, String body) throws IOException, InterruptedException {
    var request =
        request("/api/v1/orders")
            .header("Idempotency-Key", key)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    return JsonMapper.shared().readTree(answer.body()).get("order_id").stringValue();
  }

  private static HttpRequest.Builder request(String path) {
    URI address = cluster.first(Kind.WEB).address().resolve(path);
    return HttpRequest.newBuilder(address)
        .header("Authorization", "Bearer " + cluster.keys().client());
  }

  private static JsonNode look(String order) throws IOException, InterruptedException {
    var answer =
        http.send(request("/api/v1/orders/" + order).build(), BodyHandlers.ofString()).body();
    return JsonMapper.shared().readTree(answer);
  }

  private static void awaitStatus(String order, String status) throws Exception {
    until(
        () ->
            Optional.of(look(order))
                .filter(it -> it.path("status").stringValue("").equals(status)));
  }

  private static int charges(String order) throws SQLException {
    var count =
        find("select count(*) from bank.ledger where operation = 'charge' and order_id = ?", order);
    return Integer.parseInt(count.orElseThrow());
  }

  private static Optional<String> find(String query, Object... values) throws SQLException {
    try (var connection = DriverManager.getConnection(cluster.database());
        var statement = connection.prepareStatement(query)) {
      for (int i = 0; i < values.length; i++) statement.setObject(i + 1, values[i]);
      try (var row = statement.executeQuery()) {
        return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
      }
    }
  }

  private static <T> T until(Callable<Optional<T>> question) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      var answer = question.call();
      if (answer.isPresent()) return answer.get();
      assertThat(System.nanoTime()).as("it does not happen").isLessThan(end);
      LockSupport.parkNanos(BETWEEN.toNanos());
    }
  }

  /// How long it took, without what the machine was too busy to do anything in.
  private static Duration untilTimed(Callable<Boolean> condition) throws Exception {
    long took = 0;
    long last = System.nanoTime();
    long end = last + PATIENCE.toNanos();
    while (!condition.call()) {
      assertThat(last).as("it does not happen").isLessThan(end);
      LockSupport.parkNanos(BETWEEN.toNanos());
      long now = System.nanoTime();
      took += Math.min(now - last, GAP_MAX.toNanos());
      last = now;
    }
    return Duration.ofNanos(took);
  }
}
