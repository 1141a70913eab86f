package dev.tuntas.server.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tuntas.money.Money;
import dev.tuntas.orders.OrderEvent;
import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import dev.tuntas.server.HeldStock;
import dev.tuntas.server.TestServer;
import dev.tuntas.store.Tables;
import dev.tuntas.support.SupportDesk;
import dev.tuntas.support.TicketType;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Tickets, refunds and dead letters as an operator meets them, against the whole server.
class SupportApiTest {

  private static final String CLIENT_KEY = "support-client-key-0123456789";
  private static final String ADMIN_KEY = "support-admin-key-0123456789";
  private static final String TICKETS = "/api/v1/support/tickets";
  private static final String LETTERS = "/api/v1/admin/dead-letters";
  private static final long PATIENCE = 20_000_000_000L;

  @TempDir static Path data;

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final List<String> slack = new CopyOnWriteArrayList<>();
  private static final List<String> customer = new CopyOnWriteArrayList<>();
  private static HttpServer outside;
  private static TestServer server;
  private static Client admin;
  private static Client client;

  /// Doubt is given up after two seconds here, compensation after one attempt, and people are told
  /// by a server of this test.
  @BeforeAll
  static void start() throws IOException {
    outside = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receive("/slack", slack, 200);
    receive("/customer", customer, 200);
    outside.start();
    var base = "http://127.0.0.1:" + outside.getAddress().getPort();
    server =
        TestServer.start(
            data,
            "--tuntas.credentials.client-key=" + CLIENT_KEY,
            "--tuntas.credentials.admin-key=" + ADMIN_KEY,
            "--tuntas.credentials.service-key=support-service-key-0123456789",
            "--tuntas.saga.give-up=2s",
            "--tuntas.compensation.max-attempts=1",
            "--tuntas.outgoing.allow-local=true",
            "--tuntas.slack.webhook-url=" + base + "/slack",
            "--tuntas.customer-webhook.url=" + base + "/customer",
            "--tuntas.customer-webhook.secret=a-secret-of-the-shops-own-0123456789");
    admin = new Client(server, ADMIN_KEY);
    client = new Client(server, CLIENT_KEY);
    var stock = "{\"stock\":1000,\"price\":{\"amount\":150000,\"currency\":\"IDR\"}}";
    put("/api/v1/inventory/items/SKU-S", stock);
    put("/api/v1/inventory/items/SKU-NONE", stock.replace("1000", "0"));
  }

  private static void receive(String path, List<String> into, int status) {
    outside.createContext(
        path,
        exchange -> {
          var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          into.add(exchange.getRequestHeaders().getFirst("webhook-id") + " " + body);
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
  }

  @AfterAll
  static void stop() {
    server.stop();
    outside.stop(0);
  }

  private static <T> T eventually(Supplier<T> look, Predicate<T> wanted) {
    long end = System.nanoTime() + PATIENCE;
    while (true) {
      var seen = look.get();
      if (wanted.test(seen)) return seen;
      assertThat(System.nanoTime()).as("in time; the last was " + seen).isLessThan(end);
      LockSupport.parkNanos(20_000_000);
    }
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String place(String method) {
    return place(method, "SKU-S");
  }

  private static void put(String path, String body) {
    var answer = admin.send("PUT", path, body);
    assertThat(answer.status()).as(answer.body()).isLessThan(300);
  }

  private static String place(String method, String sku) {
    var body =
        """
        {"kind":"checkout","customer_id":"cus-1","payment_method":"%s",
         "lines":[{"sku":"%s","quantity":1}]}
        """
            .formatted(method, sku);
    var answer =
        client.post("/api/v1/orders", body, "Idempotency-Key", "k" + COUNT.incrementAndGet());
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    return answer.json().path("order_id").asString();
  }

  private static JsonNode order(String id) {
    return client.get("/api/v1/orders/" + id).json();
  }

  private static JsonNode orderIn(String id, String status) {
    return eventually(() -> order(id), it -> it.path("status").asString().equals(status));
  }

  private static JsonNode ticketOf(String orderId) {
    return eventually(
            () -> admin.get(TICKETS + "?order_id=" + orderId).json().path("items"),
            items -> items.size() == 1)
        .get(0);
  }

  private static Answer post(JsonNode ticket, String verb, String body, String... headers) {
    return admin.post(TICKETS + "/" + ticket.path("id").asString() + verb, body, headers);
  }

  /// A confirmed order, and a ticket as if something were wrong with it.
  private static JsonNode ticketOfPaidOrder() {
    return ticketOfPaidOrder(TicketType.MANUAL_REFUND_REQUIRED);
  }

  private static JsonNode ticketOfPaidOrder(TicketType type) {
    var id = place("pm_ok");
    orderIn(id, "CONFIRMED");
    var event =
        new OrderEvent(
            id + "/99/0",
            OrderEvent.MANUAL_ACTION,
            id,
            99,
            "checkout",
            "c",
            "cus-1",
            "CONFIRMED",
            new Money(order(id).path("total").path("amount").asLong(), "IDR"),
            new OrderEvent.Reason("X", "<script>alert(1)</script> <!channel>"),
            type.name(),
            null,
            false,
            Instant.now(),
            List.of());
    server
        .context()
        .getBean("supportTables", Tables.class)
        .write(
            "open a ticket",
            session -> {
              server.bean(SupportDesk.class).hear(session, event);
              return true;
            });
    return ticketOf(id);
  }

  @ParameterizedTest
  @CsvSource({"happened,CONFIRMED", "did_not_happen,FAILED"})
  void a_payment_in_doubt_is_resolved_by_a_person_both_ways(String finding, String end) {
    var id = place("pm_never");
    var ticket = ticketOf(id);
    assertThat(ticket.path("type").asString()).isEqualTo("MANUAL_RECONCILIATION_REQUIRED");
    assertThat(ticket.path("reason").asString())
        .isEqualTo("Order " + id + " stuck at PAYMENT_SENT: manual reconciliation required");
    var held = order(id);
    assertThat(held.path("needs_attention").asBoolean()).isTrue();
    assertThat(held.path("ticket").asString()).isEqualTo(ticket.path("id").asString());
    assertThat(customer).noneMatch(it -> it.contains(id));

    assertThat(post(ticket, "/resolve", "{\"resolution\":\"no_action\"}").code())
        .isEqualTo("decision_needed");
    var resolved =
        post(ticket, "/resolve", "{\"resolution\":\"%s\",\"note\":\"seen\"}".formatted(finding));
    assertThat(resolved.status()).as(resolved.body()).isEqualTo(200);
    assertThat(resolved.json().path("status").asString()).isEqualTo("resolved");

    orderIn(id, end);
    eventually(() -> customer, all -> all.stream().anyMatch(it -> it.contains(id)));
    assertThat(post(ticket, "/resolve", "{\"resolution\":\"happened\"}").status()).isEqualTo(409);
  }

  /// Nothing is left of what was paid for, and the bank goes away before it can be paid back.
  @Test
  void what_could_not_be_taken_back_is_a_dead_letter_until_it_is_replayed() throws Exception {
    String id;
    try (var _ = new HeldStock(server)) {
      id = place("pm_ok", "SKU-NONE");
      eventually(() -> order(id), it -> it.path("paid").path("amount").asLong() > 0);
      put("/sim/bank", "{\"down\":true}");
    }
    var ticket = ticketOf(id);
    assertThat(ticket.path("type").asString()).isEqualTo("COMPENSATION_FAILED");
    assertThat(order(id).path("status").asString()).isEqualTo("REFUND_PENDING");
    var letters = admin.get(LETTERS + "?queue=compensation&order_id=" + id).json().path("items");
    assertThat(letters).hasSize(1);

    put("/sim/bank", "{\"reset\":true}");
    var replay = LETTERS + "/compensation-" + id + "/replay";
    assertThat(admin.post(replay, "").json().path("result").asString()).isEqualTo("replayed");
    var failed = orderIn(id, "FAILED");
    assertThat(failed.path("refunded")).isEqualTo(failed.path("paid"));
    eventually(() -> ticketOf(id), it -> it.path("status").asString().equals("resolved"));
    assertThat(ticketOf(id).path("resolution").asString()).isEqualTo("settled");
    assertThat(admin.get(LETTERS + "?order_id=" + id).json().path("items")).isEmpty();
  }

  @Test
  void a_refund_is_paid_once_however_often_it_is_clicked() {
    var ticket = ticketOfPaidOrder();
    var id = ticket.path("order_id").asString();
    var tag = client.get("/api/v1/orders/" + id).header("ETag").orElseThrow();
    var first = post(ticket, "/refund", "", "Idempotency-Key", "click-" + id);
    assertThat(first.status()).as(first.body()).isEqualTo(202);
    assertThat(first.json().path("refund_id").asString()).isEqualTo("refund-" + id);
    var second = post(ticket, "/refund", "", "Idempotency-Key", "click-" + id);
    assertThat(second.status()).isEqualTo(202);
    assertThat(second.header("Idempotency-Replayed")).contains("true");
    assertThat(second.json().path("refund_id")).isEqualTo(first.json().path("refund_id"));
    assertThat(post(ticket, "/refund", "", "Idempotency-Key", "other-" + id).code())
        .isEqualTo("refund_exceeds_captured");
    assertThat(post(ticket, "/refund", "{\"amount\":1}", "Idempotency-Key", "click-" + id).code())
        .isEqualTo("idempotency_key_reused");

    var order = eventually(() -> order(id), it -> it.path("refunded").path("amount").asLong() > 0);
    assertThat(order.path("refunded")).isEqualTo(order.path("total"));
    assertThat(client.get("/api/v1/orders/" + id, "If-None-Match", tag).status()).isEqualTo(200);
    eventually(
        () -> customer, all -> all.stream().anyMatch(it -> it.startsWith("refund-" + id + " ")));
    var resolved =
        eventually(
            () -> post(ticket, "/resolve", "{\"resolution\":\"refunded\"}"),
            it -> !it.code().equals("refund_in_progress"));
    assertThat(resolved.status()).as(resolved.body()).isEqualTo(200);
    var entries =
        admin
            .get("/sim/bank/ledger")
            .json()
            .path("entries")
            .valueStream()
            .filter(it -> it.path("key").asString().equals("refund-" + id))
            .toList();
    assertThat(entries).hasSize(1);
  }

  @Test
  void parts_of_a_payment_are_refunded_one_after_the_other() {
    var ticket = ticketOfPaidOrder();
    var id = ticket.path("order_id").asString();
    var part = "{\"amount\":1000,\"currency\":\"IDR\"}";
    for (int n = 1; n <= 2; n++) {
      var answer = post(ticket, "/refund", part, "Idempotency-Key", id + n);
      assertThat(answer.json().path("refund_id").asString()).isEqualTo("refund-" + id + "-" + n);
    }
    eventually(
        () -> order(id).path("refunded").path("amount").asLong(), refunded -> refunded == 2_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"amount\":0}|422|refund_amount_invalid",
        "{\"amount\":-5}|422|refund_amount_invalid",
        "{\"amount\":10.555}|422|refund_amount_invalid",
        "{\"amount\":\"10\"}|422|refund_amount_invalid",
        "{\"amount\":10,\"currency\":\"USD\"}|422|refund_amount_invalid",
        "{\"amount\":{\"amount\":0,\"currency\":\"IDR\"}}|422|refund_amount_invalid",
        "{\"currency\":\"IDR\"}|422|refund_amount_invalid",
        "{\"amount\":999999999999999}|422|refund_exceeds_captured",
        "{\"amount\":1e300}|422|refund_exceeds_captured",
        "{\"amount\":10,\"all\":true}|400|unknown_field",
        "[]|400|json_not_object",
        "{|400|json_malformed"
      })
  void a_refund_that_makes_no_sense_is_refused(String body, int status, String code) {
    var ticket = SharedTicket.OF_PAID_ORDER;
    var answer = post(ticket, "/refund", body, "Idempotency-Key", "bad" + COUNT.incrementAndGet());
    assertThat(answer.status() + " " + answer.code()).isEqualTo(status + " " + code);
  }

  /// One that no test changes.
  private static final class SharedTicket {
    static final JsonNode OF_PAID_ORDER = ticketOfPaidOrder();
  }

  @Test
  void a_refund_needs_a_key_and_something_that_was_paid() {
    assertThat(post(SharedTicket.OF_PAID_ORDER, "/refund", "").code())
        .isEqualTo("idempotency_key_missing");
    var unpaid = ticketOf(place("pm_never"));
    var answer = post(unpaid, "/refund", "", "Idempotency-Key", "unpaid");
    assertThat(answer.status() + " " + answer.code()).isEqualTo("409 nothing_to_refund");
  }

  @Test
  void a_ticket_can_be_verified_and_noted_and_tells_its_version() {
    var ticket = ticketOfPaidOrder();
    var path = TICKETS + "/" + ticket.path("id").asString();
    var tag = admin.get(path).header("ETag").orElseThrow();
    var verified = post(ticket, "/verify", "", "If-Match", tag);
    assertThat(verified.status()).as(verified.body()).isEqualTo(200);
    assertThat(verified.json().path("status").asString()).isEqualTo("in_progress");
    var late = post(ticket, "/notes", "{\"note\":\"late\"}", "If-Match", tag);
    assertThat(late.status() + " " + late.code()).isEqualTo("412 version_conflict");
    var canary = "<b>x</b> <!channel>\\r\\nBcc: a *b*";
    var noted = post(ticket, "/notes", "{\"text\":\"" + canary + "\"}");
    assertThat(noted.status()).as(noted.body()).isEqualTo(201);
    var notes = noted.json().path("notes");
    assertThat(notes.get(notes.size() - 1).path("text").asString())
        .isEqualTo("<b>x</b> <!channel>\r\nBcc: a *b*");
    assertThat(noted.header("Content-Type").orElse("")).startsWith("application/json");
    var audit = admin.get("/api/v1/admin/audit?limit=100").body();
    assertThat(audit).contains("ticket.verify", "ticket.note", ticket.path("id").asString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/notes|{}|422|field_required",
        "/notes|{\"note\":\"  \"}|422|text_invalid",
        "/notes|{\"note\":7}|422|field_type",
        "/notes|{\"note\":\"a\\u0000b\"}|422|text_invalid",
        "/notes|{\"note\":\"a\\ud800b\"}|422|text_invalid",
        "/resolve|{}|422|field_required",
        "/resolve|{\"resolution\":\"settled\"}|422|out_of_range",
        "/resolve|{\"resolution\":\"HAPPENED\"}|422|out_of_range",
        "/resolve|{\"resolution\":\"happened\"}|409|nothing_to_decide",
        "/resolve|{\"resolution\":\"refunded\"}|409|not_refunded",
        "/verify|{\"x\":1}|400|unknown_field"
      })
  void what_makes_no_sense_is_refused(String verb, String body, int status, String code) {
    var answer = post(SharedTicket.OF_PAID_ORDER, verb, body);
    assertThat(codes(answer)).as(answer.body()).contains(code);
    assertThat(answer.status()).isEqualTo(status);
  }

  /// The code of a problem, and those of its fields.
  private static List<String> codes(Answer answer) {
    var codes = new java.util.ArrayList<>(List.of(answer.code()));
    for (var error : answer.json().path("errors")) codes.add(error.path("code").asString());
    return codes;
  }

  @Test
  void a_note_that_is_too_long_is_refused() {
    var ticket = SharedTicket.OF_PAID_ORDER;
    var four = post(ticket, "/notes", "{\"note\":\"" + "x".repeat(4_001) + "\"}");
    assertThat(four.status() + " " + four.code()).isEqualTo("413 too_long");
    var hundred = post(ticket, "/notes", "{\"note\":\"" + "x".repeat(100_000) + "\"}");
    assertThat(hundred.status()).isEqualTo(413);
  }

  @Test
  void what_is_not_there_is_not_found() {
    for (var verb : List.of("", "/verify", "/notes", "/refund", "/resolve")) {
      var path = TICKETS + "/tic_0" + verb;
      var body =
          switch (verb) {
            case "/notes" -> "{\"note\":\"x\"}";
            case "/resolve" -> "{\"resolution\":\"no_action\"}";
            default -> "";
          };
      var answer =
          verb.isEmpty() ? admin.get(path) : admin.post(path, body, "Idempotency-Key", "nobody");
      assertThat(answer.status() + " " + answer.code()).as(verb).isEqualTo("404 not_found");
    }
  }

  @Test
  void tickets_are_listed_page_by_page_and_by_what_is_wanted() {
    var ticket = ticketOfPaidOrder();
    ticketOfPaidOrder();
    var page = admin.get(TICKETS + "?limit=1").json();
    assertThat(page.path("items").size()).isEqualTo(1);
    var next = admin.get(TICKETS + "?limit=1&cursor=" + page.path("next_cursor").asString()).json();
    assertThat(next.path("items").get(0)).isNotEqualTo(page.path("items").get(0));
    var order = ticket.path("order_id").asString();
    assertThat(admin.get(TICKETS + "?status=resolved&order_id=" + order).json().path("items"))
        .isEmpty();
    var type = "&type=MANUAL_REFUND_REQUIRED";
    assertThat(admin.get(TICKETS + "?status=open&order_id=" + order + type).json().path("items"))
        .hasSize(1);
    assertThat(admin.get(TICKETS + "?status=odd").code()).isEqualTo("parameter_invalid");
  }

  @Test
  void support_is_for_those_who_may() {
    var path = TICKETS + "/" + SharedTicket.OF_PAID_ORDER.path("id").asString();
    assertThat(client.get(TICKETS).status()).isEqualTo(403);
    assertThat(client.post(path + "/refund", "", "Idempotency-Key", "x").status()).isEqualTo(403);
    assertThat(client.with("").get(TICKETS).status()).isEqualTo(401);
    assertThat(client.get(LETTERS).status()).isEqualTo(403);
  }

  @Test
  void every_ticket_is_told_on_slack_once() {
    var id = ticketOfPaidOrder().path("order_id").asString();
    eventually(() -> slack, all -> all.stream().anyMatch(it -> it.contains(id)));
    assertThat(slack).filteredOn(it -> it.contains("Order ID: " + id)).hasSizeLessThanOrEqualTo(1);
    assertThat(slack).noneMatch(it -> it.contains("<script>") || it.contains("<!channel>"));
  }

  @Test
  void looking_at_dead_letters_needs_one_connection_at_a_time() throws Exception {
    var ticket = ticketOfPaidOrder(TicketType.COMPENSATION_FAILED);
    var tables = server.context().getBean("supportTables", Tables.class);
    var held = new CountDownLatch(2);
    var over = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 2; i++) {
        threads.submit(
            () ->
                tables.read(
                    "keep a connection",
                    _ -> {
                      held.countDown();
                      return awaited(over);
                    }));
      }
      held.await();
      try {
        assertThat(admin.get(LETTERS).status()).isEqualTo(200);
      } finally {
        over.countDown();
      }
    }
    post(ticket, "/resolve", "{\"resolution\":\"no_action\"}");
  }

  @Test
  void dead_letters_are_looked_at_replayed_and_discarded() {
    var tables = server.context().getBean("supportTables", Tables.class);
    for (int i = 0; i < 4; i++) {
      var cause = "dead-" + COUNT.incrementAndGet();
      tables.write(
          "bury one",
          session ->
              session.update(
                  """
                  insert into support_delivery (cause, channel, recipient, order_id, kind, body,
                    created_at, attempts, dead_at, error)
                  values (?, 'nowhere', 'support', 'ord_dead', 'alert', '{}', 1, 12, 1, 'HTTP 500')
                  """,
                  cause));
    }
    var items = admin.get(LETTERS + "?order_id=ord_dead").json().path("items");
    assertThat(items).hasSize(4);
    assertThat(items.get(0).path("error").asString()).isEqualTo("HTTP 500");
    var page = admin.get(LETTERS + "?queue=delivery&limit=3").json();
    var rest = "&cursor=" + page.path("next_cursor").asString();
    assertThat(admin.get(LETTERS + "?queue=delivery&limit=3" + rest).json().path("items"))
        .hasSizeBetween(1, 3);

    var one = LETTERS + "/" + items.get(0).path("id").asString();
    assertThat(admin.post(one + "/discard", "{}").code()).isEqualTo("reason_required");
    assertThat(admin.post(one + "/discard", "{\"reason\":\"   \"}").status()).isEqualTo(422);
    assertThat(admin.post(one + "/replay", "").json().path("result").asString())
        .isEqualTo("replayed");
    assertThat(admin.post(one + "/replay", "").json().path("result").asString())
        .isEqualTo("nothing_to_do");
    assertThat(admin.post(one + "/discard", "{\"reason\":\"x\"}").code())
        .isEqualTo("dead_letter_state");
    for (var unknown :
        List.of("delivery-0", "notice-1", "compensation-ord_x", "odd", "delivery-x")) {
      var answer = admin.post(LETTERS + "/" + unknown + "/replay", "");
      assertThat(answer.status()).as(unknown).isEqualTo(404);
    }

    var many = "{\"filter\":{\"order_id\":\"ord_dead\"},\"expected_count\":%d,\"reason\":\"old\"}";
    var wrong = admin.post(LETTERS + "/discard", many.formatted(4));
    assertThat(wrong.status()).isEqualTo(409);
    assertThat(wrong.json().path("count").asInt()).isEqualTo(3);
    assertThat(admin.post(LETTERS + "/discard", many.formatted(3)).status()).isEqualTo(202);
    eventually(
        () -> admin.get(LETTERS + "?order_id=ord_dead").json().path("items").size(),
        size -> size == 0);
    var audit = admin.get("/api/v1/admin/audit?limit=100").json().path("items").valueStream();
    assertThat(
            audit.filter(
                it ->
                    it.path("action").asString().startsWith("dead_letter.")
                        && it.path("subject").asString().startsWith("delivery-")))
        .hasSize(4);
  }

  @Test
  void every_code_of_the_desk_is_explained() {
    var explained = admin.get("/v3/api-docs").json().path("x-codes");
    assertThat(explained.propertyNames())
        .contains(
            "ticket_resolved",
            "decision_needed",
            "nothing_to_decide",
            "not_refunded",
            "refund_in_progress",
            "nothing_to_refund",
            "refund_amount_invalid",
            "refund_exceeds_captured",
            "version_conflict",
            "dead_letter_state",
            "dead_letter_count",
            "reason_required");
  }

  @Test
  void what_waits_for_people_is_counted() {
    ticketOfPaidOrder();
    var metrics = admin.get("/actuator/prometheus").body();
    var wanted =
        Map.of(
            "manual_refund_queue", "[1-9]",
            "dead_letters\\{queue=\"compensation\"\\}", "0",
            "dead_letters\\{queue=\"delivery\"\\}", "[0-9]",
            "dead_letters\\{queue=\"notice\"\\}", "0");
    wanted.forEach(
        (name, value) ->
            assertThat(metrics.lines()).anyMatch(line -> line.matches(name + " " + value + ".*")));
  }
}
