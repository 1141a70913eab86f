package dev.tuntas.server.observe;

import static dev.tuntas.server.orders.Orders.id;
import static dev.tuntas.server.orders.Orders.newKey;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.orders.RideMetric;
import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import dev.tuntas.server.orders.Orders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/// What a scrape and the log show of rides: one whose job id was told, one whose job id was asked
/// for, one that was cancelled, one that was given up, one that was refused.
class RideMetricsTest {

  private static final String PUSAT = "\"latitude\":-6.2088,\"longitude\":106.8456";
  private static final String BANDUNG = "\"latitude\":-6.9,\"longitude\":107.6";
  private static final String QUICK =
      """
      "callback_delay_ms":[10,20],"search_ms":[10,20],"pick_up_ms":[10,20],"trip_ms":[10,20]\
      """;

  private static final String GAVE_UP = "Failed to retrieve Job ID after max retries";
  private static final String REFUND_WANTED =
      "Order cancelled after payment - manual refund required";

  @TempDir static Path data;

  private static TestServer server;
  private static Client admin;
  private static Orders orders;
  private static Exposition told;
  private static Exposition asked;
  private static Exposition over;
  private static List<JsonNode> retries;
  private static List<JsonNode> failures;
  private static List<JsonNode> refunds;

  /// Who never gets a job id asks after two seconds and again before five. A third question would
  /// come after the end.
  @BeforeAll
  static void ride() throws Exception {
    try (var output = new CapturedOutput()) {
      server =
          TestServer.start(
              data,
              "--tuntas.ride.initial-wait=2s",
              "--tuntas.ride.max-elapsed=6s",
              "--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY,
              "--tuntas.credentials.admin-key=" + TestServer.ADMIN_KEY);
      admin = new Client(server, TestServer.ADMIN_KEY);
      orders = new Orders(new Client(server, TestServer.CLIENT_KEY));
      var doomed = neverAssigned();
      tellsAtOnce();
      tellsNothing();
      givesUp(doomed, output);
      refuses();
    }
  }

  private static void tellsAtOnce() throws Exception {
    partner("\"callback_rate\":1,\"assign_delay_ms\":[10,20]," + QUICK);
    var ride = place(PUSAT);
    until(() -> orders.status(ride).equals("COMPLETED"));
    told = scrapeWith("COMPLETED");
  }

  private static void tellsNothing() throws Exception {
    partner("\"callback_rate\":0,\"driver_rate\":0,\"assign_delay_ms\":[10,20]," + QUICK);
    var ride = place(PUSAT);
    until(() -> orders.status(ride).equals("ASSIGNED"));
    until(() -> scrape().value("job_id_retrieval_attempts_count") > 0);
    asked = scrape();
    orders.cancel(ride);
  }

  private static String neverAssigned() throws Exception {
    partner("\"callback_rate\":0,\"assign_delay_ms\":[600000,600000]");
    var ride = place(PUSAT);
    until(() -> orders.show(ride).json().path("booking_id").isString());
    return ride;
  }

  private static void givesUp(String ride, CapturedOutput output) throws Exception {
    until(() -> orders.status(ride).equals("CANCELLED_BY_SYSTEM_AFTER_PAYMENT"));
    until(() -> !output.log(GAVE_UP, ride).isEmpty() && !output.log(REFUND_WANTED, ride).isEmpty());
    retries = output.log("Retrying BBD Job ID retrieval", ride);
    failures = output.log(GAVE_UP, ride);
    refunds = output.log(REFUND_WANTED, ride);
  }

  private static void refuses() throws Exception {
    var forced =
        admin.post(
            "/api/v1/admin/dispatcher/areas/BANDUNG/override",
            "{\"status\":\"FORCE_BUSY\",\"reason\":\"flood\"}");
    assertThat(forced.status()).as(forced.body()).isBetween(200, 299);
    admin.send("PUT", "/api/v1/admin/flags", "{\"server_busy\":{\"enabled\":true}}");
    assertThat(orders.place(body(BANDUNG), newKey()).status()).isEqualTo(503);
    over = scrapeWith("CANCELLED_BY_SYSTEM_AFTER_PAYMENT");
  }

  @AfterAll
  static void stop() {
    server.stop();
  }

  private static void partner(String manners) {
    assertThat(admin.send("PUT", "/sim/bbd", "{" + manners + "}").status()).isEqualTo(200);
  }

  private static String place(String pickup) {
    var answer = orders.place(body(pickup), newKey());
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    return id(answer);
  }

  private static String body(String pickup) {
    return """
    {"kind":"ride","customer_id":"USR-123456","service_type":"RIDE","channel":"MYBB",
     "pickup_location":{%s},"dropoff_location":{"latitude":-6.1256,"longitude":106.6559},
     "payment":{"status":"PAID","amount":150000,"currency":"IDR"}}\
    """
        .formatted(pickup);
  }

  /// What is counted and logged comes after the commit that everybody can see.
  private static Exposition scrapeWith(String status) throws Exception {
    until(() -> scrape().value("order_status_count", "status", status) == 1);
    return scrape();
  }

  private static Exposition scrape() {
    var answer = admin.get("/actuator/prometheus");
    assertThat(answer.status()).isEqualTo(200);
    return Exposition.read(answer.body());
  }

  private static double inPusat(Exposition scrape, String metric, String... more) {
    var labels = new String[more.length + 4];
    labels[0] = "area_id";
    labels[1] = "JKT-PUSAT";
    labels[2] = "service_type";
    labels[3] = "RIDE";
    System.arraycopy(more, 0, labels, 4, more.length);
    return scrape.value(metric, labels);
  }

  @ParameterizedTest
  @EnumSource(RideMetric.class)
  void every_metric_has_the_name_type_and_labels_that_rides_are_measured_by(RideMetric metric) {
    var name = metric.metricName();
    assertThat(over.types()).containsEntry(name, metric.type().name().toLowerCase(Locale.ROOT));
    var labels = metric.labels().stream().map(RideMetric.Label::name).collect(Collectors.toSet());
    assertThat(over.of(name))
        .isNotEmpty()
        .allSatisfy(it -> assertThat(it.labels().keySet()).isEqualTo(labels));
  }

  @Test
  void a_job_id_that_a_callback_brought_is_told_apart() {
    assertThat(told.value("job_id_total")).isEqualTo(1);
    assertThat(told.value("job_id_via_callback_total")).isEqualTo(1);
    assertThat(told.value("job_id_via_proactive_total")).isZero();
    assertThat(told.value("job_id_retrieval_duration_seconds")).isEqualTo(1);
    assertThat(told.value("job_id_retrieval_attempts_per_order")).isZero();
  }

  @Test
  void a_job_id_that_was_asked_for_is_told_apart() {
    assertThat(asked.value("job_id_total")).isEqualTo(2);
    assertThat(asked.value("job_id_via_callback_total")).isEqualTo(1);
    assertThat(asked.value("job_id_via_proactive_total")).isEqualTo(1);
    assertThat(asked.value("job_id_retrieval_success_total")).isEqualTo(1);
    assertThat(asked.value("job_id_retrieval_attempts_count")).isEqualTo(1);
    assertThat(asked.value("job_id_retrieval_attempts_per_order")).isEqualTo(1);
  }

  @Test
  void a_driver_who_was_found_is_an_attempt_that_succeeded() {
    assertThat(inPusat(told, "dispatcher_attempt_total", "result", "assigned")).isEqualTo(1);
    assertThat(inPusat(told, "dispatcher_attempt_total", "result", "timeout")).isZero();
    assertThat(inPusat(told, "dispatcher_attempt_duration_seconds")).isEqualTo(1);
    assertThat(inPusat(told, "dispatcher_order_lifetime_seconds", "result", "assigned"))
        .isEqualTo(1);
    assertThat(told.value("dispatcher_attempts_per_order")).isEqualTo(1);
    assertThat(told.value("order_status_count", "status", "COMPLETED")).isEqualTo(1);
  }

  @Test
  void who_cancels_is_told_apart() {
    assertThat(inPusat(over, "dispatcher_cancel_total", "reason", "user")).isEqualTo(1);
    assertThat(inPusat(over, "dispatcher_cancel_total", "reason", "lifetime_timeout")).isEqualTo(1);
    assertThat(over.value("dispatcher_cancel_total", "area_id", "BANDUNG", "reason", "server_busy"))
        .isEqualTo(1);
    assertThat(over.value("dispatcher_threshold_reached_total", "area_id", "BANDUNG")).isEqualTo(1);
    assertThat(inPusat(over, "dispatcher_order_lifetime_seconds", "result", "cancelled_timeout"))
        .isEqualTo(1);
    assertThat(inPusat(over, "dispatcher_order_lifetime_seconds", "result", "cancelled_user"))
        .isEqualTo(1);
  }

  @Test
  void a_job_id_that_never_came_is_counted_and_logged() {
    assertThat(over.value("job_id_retrieval_max_retries_exceeded_total")).isEqualTo(1);
    assertThat(over.value("order_status_count", "status", "CANCELLED_BY_SYSTEM_AFTER_PAYMENT"))
        .isEqualTo(1);
    assertThat(retries).isNotEmpty();
    assertThat(retries.getFirst().path("level").asString()).isEqualTo("WARN");
    assertThat(retries.getFirst().path("attempt").asInt()).isEqualTo(1);
    assertThat(retries.getFirst().path("elapsed").asString()).startsWith("PT");
    assertThat(retries.getFirst().path("error").asString()).isEqualTo("job ID not yet assigned");
    assertThat(failures).hasSize(1);
    assertThat(failures.getFirst().path("total_attempts").asInt()).isEqualTo(retries.size());
    assertThat(Duration.parse(failures.getFirst().path("total_duration").asString()))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(6));
    assertThat(refunds).hasSize(1);
  }

  @Test
  void what_waits_is_counted_in_the_database() {
    assertThat(asked.value("dispatcher_waiting_orders_total")).isBetween(0.0, 2.0);
    assertThat(over.of("dispatcher_threshold_utilization_ratio"))
        .hasSize(7)
        .allSatisfy(it -> assertThat(it.value()).isBetween(0.0, 1.0));
  }
}
