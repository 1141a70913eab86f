package dev.tuntas.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.money.Money;
import dev.tuntas.payment.Payments.Charge;
import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.saga.Failure.Declined;
import dev.tuntas.saga.Failure.Unavailable;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Unclear;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Everything that can go wrong on the way to a service and back: what is certain is told as
/// certain, and nothing else.
class ServiceTroubleTest {

  private static final Money AMOUNT = new Money(150_000, "IDR");
  private static final Charge CHARGE = new Charge("ord_1", "pm_ok", AMOUNT);
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Duration NOT_LONG = Duration.ofSeconds(1);
  private static final String CHARGED =
      "{\"payment_transaction_id\":\"pay_1\",\"status\":\"charged\"}";

  private final WireServer server = new WireServer();

  @AfterEach
  void close() throws Exception {
    server.close();
  }

  private Outcome<Receipt> charge() {
    return chargeAt(server.url());
  }

  private static Outcome<Receipt> chargeAt(URI url) {
    return charge(ServiceSettings.of(url, "tk_1"));
  }

  private Outcome<Receipt> chargeWithoutPatience() {
    return charge(new ServiceSettings(server.url(), "tk_1", LONG, NOT_LONG));
  }

  private static Outcome<Receipt> charge(ServiceSettings settings) {
    try (var client = new ServiceClient(settings)) {
      return new HttpPayments(client).charge(CHARGE, "charge-ord_1");
    }
  }

  private static void unavailable(Outcome<?> outcome, String code) {
    assertThat(outcome).isInstanceOf(Failed.class);
    var failure = ((Failed<?>) outcome).failure();
    assertThat(failure).isInstanceOf(Unavailable.class);
    assertThat(failure.code()).isEqualTo(code);
  }

  @Test
  void a_good_answer() {
    server.answer(201, "", CHARGED);

    assertThat(charge()).isEqualTo(Outcome.done(new Receipt("pay_1", AMOUNT, "charged")));
  }

  @Test
  void nobody_listens() throws Exception {
    var url = server.url();
    server.close();

    unavailable(chargeAt(url), "connection_refused");
  }

  @Test
  void a_host_that_does_not_exist() {
    unavailable(chargeAt(URI.create("http://no-such-host.invalid:80")), "host_unknown");
  }

  @Test
  void no_answer_in_time() throws InterruptedException {
    server.answer("").thenSaysNothingMore();

    assertThat(chargeWithoutPatience()).isInstanceOf(Unclear.class);
    assertThat(server.received()).isNotNull();
  }

  @Test
  void an_answer_that_stops_in_the_middle_of_its_body() {
    server
        .answer("HTTP/1.1 201 Created\r\nContent-Length: 500\r\n\r\n{\"payment")
        .thenSaysNothingMore();

    assertThat(chargeWithoutPatience()).isInstanceOf(Unclear.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 201 Cre",
        "HTTP/1.1 201 Created\r\nContent-Length: 500\r\n\r\n{\"payment",
        "SSH-2.0-OpenSSH_9.9\r\n\r\n",
        "HTTP/1.1 201 Created\r\nContent-Length: x\r\n\r\n"
      })
  void a_connection_that_is_lost_or_speaks_another_language(String bytes) {
    server.answer(bytes);

    assertThat(charge()).isInstanceOf(Unclear.class);
    assertThat(server.wasAsked()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {500, 501, 502, 503, 504, 599, 302, 307, 408})
  void a_status_that_leaves_it_open(int status) {
    server.answer(status, "Location: http://127.0.0.1:1/\r\n", CHARGED);

    assertThat(charge()).isInstanceOf(Unclear.class);
  }

  @Test
  void a_server_error_does_not_become_a_decline_because_of_its_body() {
    server.answer(503, "", "{\"code\":\"payment_declined\",\"detail\":\"No.\"}");

    assertThat(charge()).isInstanceOf(Unclear.class);
  }

  @Test
  void accepted_is_not_yet_done() {
    server.answer(202, "", CHARGED);

    assertThat(charge())
        .isInstanceOfSatisfying(
            Unclear.class, unclear -> assertThat(unclear.doubt()).isEqualTo(Outcome.Doubt.PENDING));
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 405, 410, 414, 431})
  void whoever_does_not_know_the_service_has_refused_nothing(int status) {
    server.answer(status, "", "{\"code\":\"not_found\",\"detail\":\"There is nothing here.\"}");

    assertThat(charge())
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.failure()).isInstanceOf(Unavailable.class));
  }

  @Test
  void neither_has_a_proxy_that_finds_the_request_bad() {
    server.answer(400, "", "<html>Bad Request</html>");

    assertThat(charge())
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.failure()).isInstanceOf(Unavailable.class));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 402, 409, 422})
  void a_clear_no(int status) {
    server.answer(status, "", "{\"code\":\"payment_declined\",\"detail\":\"The bank said no.\"}");

    assertThat(charge()).isEqualTo(Outcome.declined("payment_declined", "The bank said no."));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "<html>", "[]", "null", "{\"code\":7,\"detail\":{}}", "{\"code\":\"a b\"}"})
  void a_clear_no_without_a_reason(String body) {
    server.answer(402, "", body);

    assertThat(charge()).isEqualTo(Outcome.declined("http_402", "The service answered 402."));
  }

  @Test
  void a_reason_becomes_one_line_of_bounded_length() {
    server.answer(
        402, "", "{\"code\":\"no\",\"detail\":\"a\\n\\u0000b" + "x".repeat(5_000) + "\"}");

    assertThat(charge())
        .isInstanceOfSatisfying(
            Failed.class,
            failed -> {
              var detail = ((Declined) failed.failure()).detail();
              assertThat(detail).startsWith("a bx").hasSize(300);
            });
  }

  @Test
  void too_many_requests_say_when_to_come_back() {
    server.answer(429, "Retry-After: 7\r\n", "");

    assertThat(charge())
        .isEqualTo(
            new Failed<>(
                new Unavailable(
                    "rate_limited",
                    "The service asks us to come back later.",
                    Duration.ofSeconds(7))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "Retry-After: soon\r\n", "Retry-After: -5\r\n", "Retry-After: 9999999999\r\n"})
  void too_many_requests_with_a_strange_time(String header) {
    server.answer(429, header, "");

    assertThat(charge())
        .isInstanceOfSatisfying(
            Failed.class,
            failed ->
                assertThat(((Unavailable) failed.failure()).retryAfter())
                    .isEqualTo(Duration.ofSeconds(1)));
  }

  @Test
  void a_very_long_pause_is_cut() {
    server.answer(429, "Retry-After: 999999\r\n", "");

    assertThat(charge())
        .isInstanceOfSatisfying(
            Failed.class,
            failed ->
                assertThat(((Unavailable) failed.failure()).retryAfter())
                    .isEqualTo(Duration.ofHours(1)));
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void a_key_that_is_refused_is_no_reason_to_fail_an_order(int status) {
    server.answer(status, "", "{\"code\":\"unauthenticated\",\"detail\":\"Who?\"}");

    unavailable(charge(), "service_key_refused");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ok",
        "[]",
        "null",
        "{}",
        "{\"payment_transaction_id\":\"\",\"status\":\"charged\"}",
        "{\"payment_transaction_id\":7,\"status\":\"charged\"}",
        "{\"payment_transaction_id\":\"pay_1\",\"status\":\"refunded\"}",
        "{\"payment_transaction_id\":\"p\",\"status\":\"charged\",\"amount\":1,\"currency\":\"IDR\"}",
        "{\"payment_transaction_id\":\"p\",\"status\":\"charged\",\"amount\":150000,\"currency\":\"USD\"}",
        "{\"payment_transaction_id\":\"p\",\"status\":\"charged\",\"amount\":150000}",
        "{\"payment_transaction_id\":\"p\",\"status\":\"charged\",\"amount\":\"150000\",\"currency\":\"IDR\"}",
        "{\"payment_transaction_id\":\"p\",\"status\":\"charged\",\"amount\":1e400,\"currency\":\"IDR\"}",
        "{\"payment_transaction_id\":\"p\",\"status\":\"charged\",\"amount\":-1,\"currency\":\"IDR\"}"
      })
  void a_success_that_does_not_fit(String body) {
    server.answer(201, "", body);

    assertThat(charge()).isInstanceOf(Unclear.class);
  }

  @Test
  void an_answer_that_is_too_long() {
    server.answer(201, "", "{\"x\":\"" + "x".repeat(70_000) + "\"," + CHARGED.substring(1));

    assertThat(charge()).isInstanceOf(Unclear.class);
  }

  @Test
  void an_answer_nested_too_deep() {
    server.answer(201, "", "[".repeat(20_000));

    assertThat(charge()).isInstanceOf(Unclear.class);
  }

  @Test
  void a_thread_that_is_interrupted_does_not_know() {
    server.answer("").thenSaysNothingMore();
    Thread.currentThread().interrupt();

    assertThat(charge()).isInstanceOf(Unclear.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
