package dev.tuntas.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.sun.net.httpserver.HttpServer;
import dev.tuntas.engine.Outbox;
import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import dev.tuntas.server.HeldStock;
import dev.tuntas.server.TestServer;
import dev.tuntas.server.orders.Orders;
import dev.tuntas.store.Stores;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/// Marked values go in with orders of every fate; none may come out where nobody asked for it.
class CanaryTest {

  private static final String EMAIL = "canary-mail-7391@example.com";
  private static final String PHONE = "+628117391739";
  private static final String CUSTOMER = "canary-customer-7391";
  private static final String KEY = "canary-idempotency-7391";
  private static final String CLIENT_KEY = "canary-client-key-739173917391";
  private static final String ADMIN_KEY = "canary-admin-key-739173917391";
  private static final String STRANGER_KEY = "canary-stranger-key-739173917391";

  /// Contacts and keys: for nobody's eyes.
  private static final List<String> SECRETS =
      List.of(EMAIL, PHONE, "8117391739", KEY, CLIENT_KEY, ADMIN_KEY, STRANGER_KEY);

  @TempDir static Path data;

  private static final List<String> slack = new CopyOnWriteArrayList<>();
  private static final List<String> customer = new CopyOnWriteArrayList<>();
  private static final List<String> events = new CopyOnWriteArrayList<>();
  private static HttpServer outside;
  private static CapturedOutput output;
  private static TestServer server;
  private static Client admin;
  private static Client client;
  private static String stuck;
  private static String notCompensated;

  @BeforeAll
  static void let_orders_meet_their_fates() throws Exception {
    outside = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receive("/slack", slack);
    receive("/customer", customer);
    outside.start();
    output = new CapturedOutput();
    start("http://127.0.0.1:" + outside.getAddress().getPort());
    level(Level.DEBUG);
    var watch = Thread.ofVirtual().start(CanaryTest::watchOutbox);
    refuse();
    place("pm_ok", "SKU-1", 1, "ok");
    place("pm_declined", "SKU-1", 1, "declined");
    stuck = id(place("pm_never", "SKU-1", 1, "never"));
    notCompensated = failToCompensate();
    Orders.until(() -> tickets().contains(stuck) && tickets().contains(notCompensated));
    Orders.until(() -> slack.size() >= 2 && customer.size() >= 2);
    watch.interrupt();
    watch.join();
  }

  private static void start(String outsideUrl) {
    server =
        TestServer.start(
            data,
            "--tuntas.credentials.client-key=" + CLIENT_KEY,
            "--tuntas.credentials.admin-key=" + ADMIN_KEY,
            "--tuntas.saga.give-up=2s",
            "--tuntas.compensation.max-attempts=1",
            "--tuntas.outgoing.allow-local=true",
            "--tuntas.slack.webhook-url=" + outsideUrl + "/slack",
            "--tuntas.customer-webhook.url=" + outsideUrl + "/customer",
            "--tuntas.customer-webhook.secret=a-secret-of-the-shops-own-0123456789");
    admin = new Client(server, ADMIN_KEY);
    client = new Client(server, CLIENT_KEY);
  }

  private static void receive(String path, List<String> into) {
    outside.createContext(
        path,
        exchange -> {
          into.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
  }

  /// What is said at the lowest level is looked at, too.
  private static void level(Level level) {
    ((Logger) LoggerFactory.getLogger("dev.tuntas")).setLevel(level);
  }

  /// Notices are gone once they are published.
  private static void watchOutbox() {
    var outbox = server.bean(Stores.class).outbox();
    while (!Thread.currentThread().isInterrupted()) {
      outbox.next(Instant.now().plusSeconds(3600), 100).stream()
          .map(Outbox.Entry::body)
          .forEach(events::add);
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static void refuse() {
    assertThat(client.with(STRANGER_KEY).get("/api/v1/orders").status()).isEqualTo(401);
    assertThat(client.get("/api/v1/orders?api_key=" + CLIENT_KEY).status()).isEqualTo(400);
    var wrong = order("pm_ok", "SKU-1", 1).replace("\"kind\"", "\"" + EMAIL + "\"");
    assertThat(client.post(Orders.PATH, wrong, "Idempotency-Key", KEY).status())
        .isBetween(400, 422);
  }

  private static String order(String method, String sku, int quantity) {
    return """
    {"kind":"checkout","customer_id":"%s","payment_method":"%s",
     "contact":{"email":"%s","phone":"%s"},
     "lines":[{"sku":"%s","quantity":%d}]}
    """
        .formatted(CUSTOMER, method, EMAIL, PHONE, sku, quantity);
  }

  private static Answer place(String method, String sku, int quantity, String suffix) {
    var body = order(method, sku, quantity);
    var answer = client.post(Orders.PATH, body, "Idempotency-Key", KEY + suffix);
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    assertThat(client.post(Orders.PATH, body, "Idempotency-Key", KEY + suffix).status())
        .isEqualTo(202);
    return answer;
  }

  private static String id(Answer answer) {
    return Orders.id(answer);
  }

  /// The bank goes away after it has charged, while the warehouse still looks for the goods.
  private static String failToCompensate() throws Exception {
    String id;
    try (var _ = new HeldStock(server)) {
      id = id(place("pm_ok", "SKU-RARE", 101, "rare"));
      Orders.until(() -> status(id).equals("PAYMENT_COMPLETE"));
      admin.send("PUT", "/sim/bank", "{\"down\":true}");
    }
    Orders.until(
        () -> client.get(Orders.PATH + "/" + id).json().path("needs_attention").asBoolean());
    admin.send("PUT", "/sim/bank", "{\"reset\":true}");
    return id;
  }

  private static String status(String id) {
    return client.get(Orders.PATH + "/" + id).json().path("status").asString();
  }

  private static String tickets() {
    return admin.get("/api/v1/support/tickets?limit=100").body();
  }

  @AfterAll
  static void stop() throws IOException {
    level(Level.INFO);
    server.stop();
    output.close();
    outside.stop(0);
  }

  @Test
  void the_log_names_nobody() {
    assertThat(output.log()).isNotEmpty();
    assertThat(output.text()).doesNotContain(SECRETS).doesNotContain(CUSTOMER);
  }

  @Test
  void metrics_name_nobody() {
    var metrics = admin.get("/actuator/prometheus").body();

    assertThat(metrics).contains("order_status_count").doesNotContain(CUSTOMER, stuck);
    assertThat(metrics).doesNotContain(SECRETS);
  }

  @Test
  void tickets_and_dead_letters_name_nobody() {
    assertThat(tickets()).contains(stuck, notCompensated).doesNotContain(SECRETS);
    assertThat(admin.get("/api/v1/admin/dead-letters").body())
        .contains(notCompensated)
        .doesNotContain(SECRETS);
    assertThat(admin.get("/api/v1/admin/audit").body()).doesNotContain(SECRETS);
  }

  @Test
  void events_hold_neither_contacts_nor_keys() {
    assertThat(events).isNotEmpty();
    assertThat(String.join("\n", events)).contains(CUSTOMER).doesNotContain(SECRETS);
  }

  @Test
  void alerts_and_webhooks_hold_neither_contacts_nor_keys() {
    assertThat(String.join("\n", slack)).contains(stuck).doesNotContain(SECRETS);
    assertThat(String.join("\n", slack)).doesNotContain(CUSTOMER);
    assertThat(String.join("\n", customer)).isNotEmpty().doesNotContain(SECRETS);
  }

  @Test
  void what_a_person_must_see_to_is_in_the_log_with_its_order() {
    assertThat(output.log("Saga timeout detected", stuck)).hasSize(1);
    assertThat(output.log("Held for a person", stuck)).hasSize(1);
    assertThat(output.log("Compensation failed, a person is needed", notCompensated))
        .singleElement()
        .satisfies(line -> assertThat(line.path("level").asString()).isEqualTo("ERROR"));
  }

  @Test
  void a_compensation_that_failed_is_counted() {
    var metrics = Exposition.read(admin.get("/actuator/prometheus").body());

    assertThat(metrics.value("compensation_total", "result", "failed")).isEqualTo(1);
    assertThat(metrics.value("dead_letters", "queue", "compensation")).isEqualTo(1);
  }

  @Test
  void every_line_about_an_order_says_so_in_its_field() {
    assertThat(output.log())
        .filteredOn(line -> LogFields.orderIn(line.path("message").asString()) != null)
        .allSatisfy(line -> assertThat(line.has("order_id")).isTrue());
  }
}
