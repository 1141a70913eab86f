package dev.tuntas.server.callbacks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tuntas.adapters.notify.WebhookSignature;
import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import dev.tuntas.server.access.Credentials;
import dev.tuntas.store.Tables;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Callbacks over HTTP: the rows of `reliability.md` 4.3.
class CallbacksApiTest {

  private static final String PATH = "/api/v1/callbacks/bbd";

  private final WebhookSignature ours =
      new WebhookSignature(TestServer.running().bean(Credentials.class).bbdSecret());
  private final String id = "evt-" + UUID.randomUUID();
  private final String order = "ord_" + UUID.randomUUID();
  private final long now = Instant.now().getEpochSecond();

  private String job(String jobId) {
    return """
    {"event":"job.assigned","order_id":"%s","booking_id":"bk-1","job_id":"%s","new":{"a":1}}
    """
        .formatted(order, jobId);
  }

  private Answer tell(String body) {
    return tell(id, body);
  }

  private Answer tell(String deliveryId, String body) {
    return tell(deliveryId, now, body);
  }

  private Answer tell(String deliveryId, long timestamp, String body) {
    var signature = ours.of(deliveryId, timestamp, body.getBytes(UTF_8));
    return send(PATH, deliveryId, Long.toString(timestamp), signature, body);
  }

  private static Answer send(
      String path, String deliveryId, String timestamp, String signature, String body) {
    return send(Client.nobody(), path, deliveryId, timestamp, signature, body);
  }

  private static Answer send(
      Client client,
      String path,
      String deliveryId,
      String timestamp,
      String signature,
      String body) {
    return client.post(
        path,
        body,
        "webhook-id",
        deliveryId,
        "webhook-timestamp",
        timestamp,
        "webhook-signature",
        signature);
  }

  private List<String> inbox() {
    return TestServer.running()
        .context()
        .getBean("callbackTables", Tables.class)
        .read(
            "look into an inbox",
            session ->
                session.list(
                    "select name from tuntas_signal where saga_id = ? order by pos",
                    row -> row.getString(1),
                    order));
  }

  private static void refused(Answer answer, int status, String code) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.code()).isEqualTo(code);
  }

  /// An order that exists, though it is no ride: callbacks are taken for whoever they are about.
  private static String placed() {
    var body =
        """
        {"kind":"checkout","customer_id":"cus-1","payment_method":"pm_ok",
         "lines":[{"sku":"SKU-1","quantity":1}]}
        """;
    var key = "callbacks-" + UUID.randomUUID();
    return Client.client()
        .post("/api/v1/orders", body, "Idempotency-Key", key, "Prefer", "wait=20")
        .json()
        .get("order_id")
        .stringValue();
  }

  @Test
  void row_56_without_a_signature() {
    refused(Client.nobody().post(PATH, job("J-1")), 401, "signature_missing");
    refused(
        Client.nobody().post(PATH, job("J-1"), "webhook-id", id, "webhook-timestamp", "" + now),
        401,
        "signature_missing");
    assertThat(inbox()).isEmpty();
  }

  private Stream<String> wrongSignatures() {
    var other = new WebhookSignature("a secret of somebody else").of(id, now, new byte[0]);
    return Stream.of(
        other,
        "v1,AAAA",
        "v1,%%%",
        "garbage",
        "v2," + other.substring(3),
        "v1,AAAA ".repeat(1_000) + ours.of(id, now, job("J-1").getBytes(UTF_8)));
  }

  @Test
  void row_57_with_a_wrong_signature() {
    wrongSignatures()
        .forEach(
            signature ->
                refused(send(PATH, id, "" + now, signature, job("J-1")), 401, "signature_invalid"));
    assertThat(inbox()).isEmpty();
  }

  @Test
  void row_58_with_a_signature_of_the_same_json_written_differently() {
    var signature = ours.of(id, now, job("J-1").replace(",", ", ").getBytes(UTF_8));
    refused(send(PATH, id, "" + now, signature, job("J-1")), 401, "signature_invalid");
  }

  static Stream<String> timestamps() {
    var now = Instant.now().getEpochSecond();
    return Stream.of(
        "" + (now - 360), "" + (now + 360), "soon", "-5", "1" + "0".repeat(18), "0x10", "1e9");
  }

  @ParameterizedTest
  @MethodSource("timestamps")
  void row_59_too_old_too_early_or_no_time_at_all(String timestamp) {
    var signature = ours.of(id, now, job("J-1").getBytes(UTF_8));
    refused(send(PATH, id, timestamp, signature, job("J-1")), 401, "timestamp_out_of_window");
    assertThat(inbox()).isEmpty();
  }

  @Test
  void row_59_six_minutes_old_and_rightly_signed() {
    refused(tell(id, now - 360, job("J-1")), 401, "timestamp_out_of_window");
    assertThat(tell(id, now - 240, job("J-1")).status()).isEqualTo(202);
  }

  @Test
  void row_60_the_same_again_has_no_effect() {
    assertThat(tell(job("J-1")).json().path("duplicate").asBoolean()).isFalse();
    var again = tell(id, now + 1, job("J-1"));
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().path("duplicate").asBoolean()).isTrue();
    assertThat(inbox()).containsExactly("job");
  }

  @Test
  void row_61_something_else_under_the_same_name_is_a_conflict_and_a_ticket() {
    tell(job("J-1"));
    refused(tell(job("J-2")), 409, "event_conflict");
    refused(tell(job("J-2")), 409, "event_conflict");
    assertThat(inbox()).containsExactly("job");
    var tickets = Client.admin().get("/api/v1/support/tickets?order_id=" + order).json();
    assertThat(tickets.get("items").size()).isEqualTo(1);
    assertThat(tickets.at("/items/0/type").stringValue()).isEqualTo("UNEXPECTED_STATE");
    assertThat(tickets.at("/items/0/reason").stringValue()).contains(id);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"amount\":1", "\"currency\":\"USD\"", "\"amount\":25000,\"currency\":\"VND\""})
  void row_66_another_price_than_the_order_has_is_for_a_person(String price) {
    var known = placed();
    var body = job("J-1").replace(order, known).replace("\"new\":{\"a\":1}", price);
    var answer = tell(body);
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.json().path("status").stringValue()).isEqualTo("disputed");
    assertThat(tell(body).json().path("duplicate").asBoolean()).isTrue();
    var tickets = Client.admin().get("/api/v1/support/tickets?order_id=" + known).json();
    assertThat(tickets.get("items").size()).isEqualTo(1);
    assertThat(tickets.at("/items/0/reason").stringValue()).contains("price", id);
    var right =
        price.replaceAll("\"amount\":\\d+", "\"amount\":25000").replaceAll("USD|VND", "IDR");
    assertThat(tell(id + "-right", body.replace(price, right)).status()).isEqualTo(200);
  }

  @Test
  void row_62_what_another_partner_signed_is_not_ours() {
    var theirs = new WebhookSignature("the-secret-of-another-partner-0123456789");
    var signature = theirs.of(id, now, job("J-1").getBytes(UTF_8));
    refused(send(PATH, id, "" + now, signature, job("J-1")), 401, "signature_invalid");
    assertThat(inbox()).isEmpty();
  }

  @Test
  void row_63_a_retired_secret_is_good_until_its_time_is_over(@TempDir Path data) {
    var signature =
        new WebhookSignature(TestServer.RETIRED_SECRET).of(id, now, job("J-1").getBytes(UTF_8));
    assertThat(send(PATH, id, "" + now, signature, job("J-1")).status()).isEqualTo(202);
    assertThat(inbox()).containsExactly("job");
    var later =
        TestServer.start(
            data,
            "--tuntas.partners.bbd.retired-secret=" + TestServer.RETIRED_SECRET,
            "--tuntas.partners.bbd.retired-secret-until=" + Instant.ofEpochSecond(now));
    try {
      var client = new Client(later, "");
      refused(send(client, PATH, id, "" + now, signature, job("J-1")), 401, "signature_invalid");
    } finally {
      later.stop();
    }
  }

  @Test
  void row_64_an_order_that_nobody_knows_yet_is_parked() {
    var answer = tell(job("J-1"));
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.json().path("status").stringValue()).isEqualTo("parked");
    assertThat(inbox()).containsExactly("job");
  }

  @Test
  void row_65_an_unknown_event_is_stored_and_ignored() {
    var body = "{\"event\":\"driver.sneezed\",\"order_id\":\"" + order + "\"}";
    var answer = tell(body);
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.json().path("status").stringValue()).isEqualTo("ignored");
    assertThat(tell(body).json().path("duplicate").asBoolean()).isTrue();
    assertThat(inbox()).isEmpty();
    assertThat(Client.admin().get("/actuator/prometheus").body())
        .contains("partner_callbacks_total{event=\"unknown\",partner=\"bbd\",result=\"ignored\"}");
  }

  @Test
  void row_67_an_order_that_is_over_hears_it_without_harm() {
    var known = placed();
    var answer = tell(job("J-1").replace(order, known));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().path("status").stringValue()).isEqualTo("applied");
    assertThat(Client.client().get("/api/v1/orders/" + known).json().get("status").stringValue())
        .isEqualTo("CONFIRMED");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{\"event\":", "nonsense"})
  void row_68_malformed_with_a_right_signature(String body) {
    refused(tell(body), 400, "json_malformed");
  }

  @Test
  void row_68_too_large() {
    refused(tell("{\"x\":\"" + "x".repeat(70_000) + "\"}"), 413, "body_too_large");
  }

  @Test
  void row_69_an_unknown_partner() {
    var signature = ours.of(id, now, job("J-1").getBytes(UTF_8));
    refused(send("/api/v1/callbacks/xyz", id, "" + now, signature, job("J-1")), 404, "not_found");
  }

  @Test
  void row_70_a_thousand_events_of_one_order_at_once_have_one_effect_each() throws Exception {
    var calls = new ArrayList<Callable<Answer>>();
    for (int i = 0; i < 1_000; i++) {
      var body =
          "{\"event\":\"dispatch.no_driver\",\"order_id\":\"%s\",\"attempt\":%d}"
              .formatted(order, i % 500);
      var name = id + "-" + i % 500;
      calls.add(() -> tell(name, body));
    }
    var answers = new ArrayList<Answer>();
    try (var threads = Executors.newFixedThreadPool(50)) {
      for (var answer : threads.invokeAll(calls)) answers.add(answer.get());
    }
    assertThat(answers).extracting(Answer::status).containsOnly(200, 202);
    assertThat(answers.stream().filter(it -> it.json().path("duplicate").asBoolean())).hasSize(500);
    assertThat(inbox()).hasSize(500);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"order_id\":\"ord_1\"}",
        "{\"event\":\"job.assigned\",\"job_id\":\"J\"}",
        "{\"event\":\"job.assigned\",\"order_id\":\"ord 1\",\"job_id\":\"J\"}",
        "{\"event\":\"job.assigned\",\"order_id\":\"ord_1\",\"job_id\":\"\"}",
        "{\"event\":\"job.assigned\",\"order_id\":\"ord_1\",\"job_id\":7}",
        "{\"event\":\"dispatch.no_driver\",\"order_id\":\"ord_1\",\"attempt\":-1}",
        "{\"event\":\"trip.completed\",\"order_id\":\"ord_1\",\"occurred_at\":\"soon\"}",
        "{\"event\":7,\"order_id\":\"ord_1\"}"
      })
  void fields_that_make_no_sense(String body) {
    assertThat(tell(body).status()).isEqualTo(422);
  }

  @Test
  void news_of_a_later_step_tells_the_earlier_ones_in_their_order() {
    var body =
        """
        {"event":"trip.completed","order_id":"%s","job_id":"J-1","driver_id":"d-1","attempt":1}
        """
            .formatted(order);
    assertThat(tell(body).status()).isEqualTo(202);
    assertThat(inbox()).containsExactly("job", "driver", "pick-up", "trip");
  }

  @Test
  void the_simulated_partner_calls_back() {
    var admin = Client.admin();
    admin.send(
        "PUT",
        "/sim/bbd",
        "{\"assign_delay_ms\":0,\"callback_delay_ms\":0,\"callback_rate\":1,\"duplicate_rate\":1}");
    try {
      var body =
          """
          {"order_id":"%s","customer_id":"cus-1","service_type":"RIDE",
           "pickup_location":{"latitude":-6.2,"longitude":106.8},
           "dropoff_location":{"latitude":-6.1,"longitude":106.6}}
          """
              .formatted(order);
      var booked =
          admin.post("/partner/bbd/api/bookings", body, "Idempotency-Key", "ride-" + order);
      assertThat(booked.status()).as(booked.body()).isEqualTo(201);
      await().untilAsserted(() -> assertThat(inbox()).containsExactly("job"));
    } finally {
      admin.send("PUT", "/sim/bbd", "{\"reset\":true}");
    }
  }
}
