package dev.tuntas.server.observe;

import static dev.tuntas.server.orders.Orders.booking;
import static dev.tuntas.server.orders.Orders.checkout;
import static dev.tuntas.server.orders.Orders.id;
import static dev.tuntas.server.orders.Orders.newKey;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import dev.tuntas.server.orders.Orders;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a scrape shows before the first order, and after a few.
class MetricsTest {

  private static final String TABLE =
      """
      saga_step_duration_seconds    | histogram | saga step direction outcome
      saga_step_retries_total       | counter   | saga step
      compensation_total            | counter   | result
      compensation_attempts         | histogram |
      dead_letters                  | gauge     | queue
      idempotency_hits_total        | counter   | layer
      timeout_worker_expired_events | counter   |
      outbox_waiting                | gauge     |
      outbox_oldest_age_seconds     | gauge     |
      outbox_published_total        | counter   | result
      sweeper_found_total           | counter   |
      breaker_state                 | gauge     | lane
      saga_queue_depth              | gauge     |
      saga_oldest_due_seconds       | gauge     |
      engine_trouble                | gauge     |
      engine_beat_age_seconds       | gauge     |
      engine_not_written_seconds    | gauge     |
      engine_oldest_write_seconds   | gauge     |
      sqlite_log_bytes              | gauge     | database
      sqlite_log_not_copied_seconds | gauge     | database
      sagas_running                 | gauge     |
      saga_fenced_total             | counter   |
      saga_taken_over_total         | counter   |
      store_failures_total          | counter   | kind
      log_lines_dropped_total       | counter   |
      group_commit_batch_size       | histogram |
      group_commit_duration_seconds | histogram |
      orders_accepted_total         | counter   | kind
      order_status_count            | counter   | status
      order_status_update_total     | counter   | result
      manual_refund_queue           | gauge     |
      support_tickets_open          | gauge     |
      support_tickets_overdue       | gauge     |
      job_id_retrieval_attempts_total             | counter   |
      job_id_retrieval_success_total              | counter   |
      job_id_retrieval_failed_total               | counter   | reason
      job_id_retrieval_max_retries_exceeded_total | counter   |
      job_id_retrieval_attempts_count             | gauge     |
      job_id_retrieval_attempts_per_order         | histogram |
      job_id_retrieval_duration_seconds           | histogram |
      job_id_via_callback_total                   | counter   |
      job_id_via_proactive_total                  | counter   |
      job_id_total                                | counter   |
      job_id_retrieval_active                     | gauge     |
      dispatcher_waiting_orders_total             | gauge     | area_id service_type
      dispatcher_threshold_reached_total          | counter   | area_id service_type
      dispatcher_threshold_utilization_ratio      | gauge     | area_id
      dispatcher_attempt_total                    | counter   | area_id service_type result
      dispatcher_attempt_duration_seconds         | histogram | area_id service_type
      dispatcher_retry_count_total                | counter   | area_id service_type
      dispatcher_order_lifetime_seconds           | histogram | area_id service_type result
      dispatcher_cancel_total                     | counter   | area_id service_type reason
      dispatcher_orders_in_retry                  | gauge     |
      dispatcher_attempts_per_order               | histogram |
      """;

  private static final Map<String, String> LABEL_VALUES =
      Map.of(
          "saga",
              "booking cancellation checkout checkout-reserve-first refund ride ride-by-callback",
          "step",
              "book charge clear-cart commit-stock confirm driver enter-payment job keep-hold"
                  + " pick-up refund release reserve trip",
          "direction", "ask do undo",
          "outcome", "failed succeeded unavailable unclear",
          "layer", "database redis",
          "queue", "broker bus compensation delivery notice",
          "lane", "bbd cart inventory payment",
          "reason",
              "cancelled lifetime_timeout not_found other rate_limited server_busy unauthorized"
                  + " unavailable unclear user",
          "service_type", "DELIVERY GOLDEN_BIRD RENT RIDE other",
          "status",
              "ACCEPTED ASSIGNED CANCELLED_BY_DRIVER CANCELLED_BY_SYSTEM"
                  + " CANCELLED_BY_SYSTEM_AFTER_PAYMENT CANCELLED_BY_USER COMPLETED CONFIRMED"
                  + " DRIVER_ASSIGNED FAILED INVENTORY_COMMITTED PAYMENT_COMPLETE PAYMENT_SENT"
                  + " PENDING_JOB_ID PICKED_UP REFUNDED REFUND_PENDING RESERVE_OK RESERVE_SENT");

  @TempDir static Path data;

  private static TestServer server;
  private static Client admin;
  private static Client viewer;
  private static Orders orders;
  private static Exposition fresh;
  private static Exposition later;

  @BeforeAll
  static void place_orders() throws Exception {
    server =
        TestServer.start(
            data,
            "--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY,
            "--tuntas.credentials.admin-key=" + TestServer.ADMIN_KEY);
    admin = new Client(server, TestServer.ADMIN_KEY);
    orders = new Orders(new Client(server, TestServer.CLIENT_KEY));
    viewer = viewer();
    fresh = scrape();
    var key = newKey();
    var confirmed = orders.place(checkout("pm_ok", "SKU-1", 1), key, "Prefer", "wait=20");
    assertThat(confirmed.status()).isEqualTo(201);
    assertThat(id(orders.place(checkout("pm_ok", "SKU-1", 1), key))).isEqualTo(id(confirmed));
    assertThat(orders.placeAndWait(checkout("pm_declined", "SKU-1", 1)).status()).isEqualTo(402);
    assertThat(orders.placeAndWait(checkout("pm_ok", "SKU-RARE", 101)).status()).isEqualTo(409);
    var stay = booking("pm_lost_reply", 40, 1);
    assertThat(orders.placeAndWait(stay).status()).isEqualTo(201);
    until(() -> hasCounted(scrape()));
    later = scrape();
  }

  /// What is counted comes after the commit that everybody can see.
  private static boolean hasCounted(Exposition scrape) {
    return scrape.value("order_status_count", "status", "CONFIRMED") == 2
        && scrape.value("sagas_running") == 0;
  }

  @AfterAll
  static void stop() {
    server.stop();
  }

  private static Client viewer() {
    var body = "{\"client\":\"watch\",\"roles\":[\"viewer\"]}";
    var made = admin.post("/api/v1/admin/keys", body);
    return new Client(server, made.json().path("key").asString());
  }

  private static Exposition scrape() {
    var answer =
        viewer.get("/actuator/prometheus", "Accept", "application/openmetrics-text,*/*;q=0.1");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Content-Type").orElse("")).contains("version=0.0.4");
    return Exposition.read(answer.body());
  }

  @ParameterizedTest
  @CsvSource(textBlock = TABLE, delimiter = '|')
  void every_metric_has_its_name_type_and_labels(String name, String type, String labels) {
    assertThat(later.types()).containsEntry(name, type);
    var expected = labels == null ? Set.of() : Set.of(labels.split(" "));
    assertThat(later.of(name)).isNotEmpty();
    assertThat(later.of(name))
        .allSatisfy(it -> assertThat(it.labels().keySet()).isEqualTo(expected));
  }

  @ParameterizedTest
  @CsvSource(textBlock = TABLE, delimiter = '|')
  void every_label_value_is_there_before_the_first_order(String name, String type) {
    var before = fresh.of(name).stream().map(Exposition.Sample::labels).toList();
    var after = later.of(name).stream().map(Exposition.Sample::labels).toList();

    assertThat(before).isNotEmpty().containsExactlyInAnyOrderElementsOf(after);
  }

  @ParameterizedTest
  @CsvSource({
    "saga_step_duration_seconds",
    "saga_step_retries_total",
    "compensation_total",
    "compensation_attempts",
    "dead_letters",
    "idempotency_hits_total",
    "timeout_worker_expired_events",
    "breaker_state",
    "orders_accepted_total",
    "order_status_count",
    "order_status_update_total",
    "manual_refund_queue",
    "store_failures_total",
    "job_id_retrieval_failed_total",
    "job_id_total",
    "job_id_retrieval_active",
    "dispatcher_waiting_orders_total",
    "dispatcher_threshold_utilization_ratio",
    "dispatcher_attempt_total",
    "dispatcher_order_lifetime_seconds",
    "dispatcher_cancel_total"
  })
  void every_one_is_zero_before_the_first_order(String name) {
    assertThat(fresh.of(name)).isNotEmpty().allSatisfy(it -> assertThat(it.value()).isZero());
  }

  @Test
  void no_label_has_a_value_that_nobody_foresaw() {
    LABEL_VALUES.forEach(
        (label, values) -> {
          var seen =
              TABLE
                  .lines()
                  .map(line -> line.split("\\|")[0].strip())
                  .flatMap(name -> later.of(name).stream())
                  .filter(it -> it.labels().containsKey(label))
                  .map(it -> it.labels().get(label))
                  .collect(Collectors.toCollection(TreeSet::new));
          assertThat(seen).as(label).containsExactlyElementsOf(Arrays.asList(values.split(" ")));
        });
  }

  @ParameterizedTest
  @CsvSource({
    "ACCEPTED, 4",
    "PAYMENT_COMPLETE, 2",
    "INVENTORY_COMMITTED, 1",
    "RESERVE_SENT, 1",
    "RESERVE_OK, 1",
    "PAYMENT_SENT, 1",
    "REFUND_PENDING, 1",
    "CONFIRMED, 2",
    "FAILED, 2"
  })
  void every_entry_into_a_status_is_counted_once(String status, int orders) {
    assertThat(later.value("order_status_count", "status", status)).isEqualTo(orders);
  }

  @Test
  void what_happened_is_counted() {
    assertThat(later.value("orders_accepted_total", "kind", "checkout")).isEqualTo(3);
    assertThat(later.value("orders_accepted_total", "kind", "booking")).isEqualTo(1);
    assertThat(later.value("order_status_update_total", "result", "success")).isEqualTo(15);
    assertThat(later.value("idempotency_hits_total", "layer", "database")).isEqualTo(1);
    assertThat(later.value("compensation_total", "result", "succeeded")).isEqualTo(1);
    assertThat(later.value("compensation_total", "result", "failed")).isZero();
    assertThat(later.value("compensation_attempts")).isEqualTo(1);
    assertThat(later.value("saga_queue_depth")).isZero();
    assertThat(later.value("outbox_oldest_age_seconds")).isBetween(0.0, 60.0);
    assertThat(later.value("group_commit_batch_size")).isPositive();
    assertThat(later.value("group_commit_duration_seconds"))
        .isEqualTo(later.value("group_commit_batch_size"));
  }

  @Test
  void calls_are_timed_by_step_and_outcome() {
    assertThat(calls("checkout", "charge", "do", "succeeded")).isEqualTo(2);
    assertThat(calls("checkout", "charge", "do", "failed")).isEqualTo(1);
    assertThat(calls("checkout", "charge", "undo", "succeeded")).isEqualTo(1);
    assertThat(calls("checkout", "commit-stock", "do", "failed")).isEqualTo(1);
    assertThat(calls("booking", "charge", "do", "unclear")).isEqualTo(1);
    assertThat(calls("booking", "charge", "ask", "succeeded")).isEqualTo(1);
    assertThat(later.value("saga_step_retries_total", "saga", "booking")).isEqualTo(1);
    assertThat(later.value("saga_step_retries_total", "saga", "checkout")).isZero();
  }

  @Test
  void a_breaker_that_opens_is_seen() throws Exception {
    admin.send("PUT", "/sim/bank", "{\"down\":true}");
    for (int i = 0; i < 25; i++) orders.place(checkout("pm_ok", "SKU-4", 1), newKey());

    until(() -> scrape().value("breaker_state", "lane", "payment") == 1);
    assertThat(scrape().value("breaker_state", "lane", "inventory")).isZero();
  }

  private static double calls(String saga, String step, String direction, String outcome) {
    return later.value(
        "saga_step_duration_seconds",
        "saga",
        saga,
        "step",
        step,
        "direction",
        direction,
        "outcome",
        outcome);
  }
}
