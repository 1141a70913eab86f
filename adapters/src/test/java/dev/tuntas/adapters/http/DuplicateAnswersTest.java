package dev.tuntas.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tuntas.money.Money;
import dev.tuntas.payment.Payments.Charge;
import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.payment.Payments.Refund;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Unclear;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The answer to a charge was lost. The bank has it, and says to its repetition that it is a
/// duplicate: that is no decline.
class DuplicateAnswersTest {

  private static final Money AMOUNT = new Money(150_000, "IDR");

  private static final String NOTED =
      "{\"operation\":\"%s\",\"key\":\"%s\",\"transaction_id\":\"tx_1\",\"status\":\"%s\","
          + "\"amount\":{\"amount\":%d,\"currency\":\"%s\"}}";

  private HttpServer bank;
  private ServiceClient client;
  private int status = 409;
  private String conflict = "{\"code\":\"duplicate\",\"detail\":\"Seen before.\"}";
  private String ledger = "";

  @BeforeEach
  void open() throws IOException {
    bank = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    bank.createContext(
        "/",
        exchange -> {
          boolean look = exchange.getRequestMethod().equals("GET");
          exchange.getRequestBody().readAllBytes();
          var body = (look ? ledger : conflict).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(look ? ledger.isEmpty() ? 404 : 200 : status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    bank.start();
    var url = URI.create("http://127.0.0.1:" + bank.getAddress().getPort());
    client = new ServiceClient(ServiceSettings.of(url, null));
  }

  @AfterEach
  void close() {
    client.close();
    bank.stop(0);
  }

  private void ledgerOf(String order, String... requests) {
    ledger = "{\"order_id\":\"" + order + "\",\"requests\":[" + String.join(",", requests) + "]}";
  }

  private Outcome<Receipt> charge() {
    return new HttpPayments(client).charge(new Charge("ord_1", "pm_ok", AMOUNT), "charge-ord_1");
  }

  private Outcome<Receipt> refund() {
    return new HttpPayments(client).refund(new Refund("ord_1", AMOUNT, true), "refund-ord_1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"duplicate", "already_processed", "ORDER_ALREADY_CAPTURED"})
  void a_charge_that_the_bank_has_noted_happened(String code) {
    conflict = "{\"code\":\"" + code + "\"}";
    ledgerOf(
        "ord_1",
        NOTED.formatted("refund", "charge-ord_1", "done", 150_000, "IDR"),
        NOTED.formatted("charge", "charge-ord_1", "done", 150_000, "IDR"));

    assertThat(charge()).isEqualTo(Outcome.done(new Receipt("tx_1", AMOUNT, "charged")));
  }

  @Test
  void a_refund_that_the_bank_has_noted_happened() {
    ledgerOf("ord_1", NOTED.formatted("refund", "refund-ord_1", "done", 150_000, "IDR"));

    assertThat(refund()).isEqualTo(Outcome.done(new Receipt("tx_1", AMOUNT, "refunded")));
  }

  @ParameterizedTest
  @CsvSource({
    "ord_2, charge, charge-ord_1, done, 150000, IDR",
    "ord_1, refund, charge-ord_1, done, 150000, IDR",
    "ord_1, charge, charge-ord_9, done, 150000, IDR",
    "ord_1, charge, charge-ord_1, sent, 150000, IDR",
    "ord_1, charge, charge-ord_1, declined, 150000, IDR",
    "ord_1, charge, charge-ord_1, done, 15000000, IDR",
    "ord_1, charge, charge-ord_1, done, 150000, USD",
  })
  void a_note_about_something_else_settles_nothing(
      String order, String operation, String key, String status, long amount, String currency) {
    ledgerOf(order, NOTED.formatted(operation, key, status, amount, currency));

    assertThat(charge()).isInstanceOf(Unclear.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<html>", "{}", "{\"order_id\":\"ord_1\"}", "[]", "null"})
  void a_bank_that_cannot_be_asked_leaves_it_open(String body) {
    ledger = body;

    assertThat(charge()).isInstanceOf(Unclear.class);
    assertThat(refund()).isInstanceOf(Unclear.class);
  }

  @ParameterizedTest
  @CsvSource({
    "409, in_progress",
    "422, idempotency_key_in_use",
    "400, previous_request_in_progress",
    "425, anything"
  })
  void an_earlier_request_may_not_be_finished(int answered, String code) {
    status = answered;
    conflict = "{\"code\":\"" + code + "\"}";

    assertThat(charge())
        .isInstanceOfSatisfying(
            Unclear.class, unclear -> assertThat(unclear.doubt()).isEqualTo(Outcome.Doubt.PENDING));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "{\"code\":\"conflict\"}", "{\"code\":\"try_again\"}"})
  void a_conflict_that_names_no_reason_is_no_decline(String body) {
    conflict = body;

    assertThat(charge()).isInstanceOf(Unclear.class);
  }

  @Test
  void a_conflict_with_a_reason_to_say_no_is_a_decline() {
    conflict = "{\"code\":\"insufficient_funds\",\"detail\":\"Too little.\"}";

    assertThat(charge()).isEqualTo(Outcome.declined("insufficient_funds", "Too little."));
  }
}
