package dev.tuntas.adapters.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.cart.Carts.Cleared;
import dev.tuntas.inventory.Goods.Line;
import dev.tuntas.inventory.Goods.Lines;
import dev.tuntas.inventory.Goods.Stay;
import dev.tuntas.inventory.Inventory.Movement;
import dev.tuntas.inventory.Inventory.Request;
import dev.tuntas.inventory.Inventory.Reservation;
import dev.tuntas.money.Money;
import dev.tuntas.payment.Payments.Charge;
import dev.tuntas.payment.Payments.Receipt;
import dev.tuntas.payment.Payments.Refund;
import dev.tuntas.saga.Failure.Unavailable;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Unclear;
import java.net.URI;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is sent to each service, and what is read from its answers: `docs/services.md`.
class ServiceShapesTest {

  private static final Money TOTAL = new Money(100_000, "IDR");
  private static final Request ITEMS =
      new Request("ord_1", new Lines(List.of(new Line("SKU-1", 2))), TOTAL);
  private static final Request STAY =
      new Request(
          "ord_1",
          new Stay("ROOM", 1, LocalDate.parse("2027-01-10"), LocalDate.parse("2027-01-12")),
          null);
  private static final String HELD =
      "{\"reservation_id\":\"rsv_1\",\"expires_at\":\"2027-01-01T00:15:00Z\","
          + "\"total\":{\"amount\":100000,\"currency\":\"IDR\"}}";
  private static final String KEPT = HELD.replace("\"2027-01-01T00:15:00Z\"", "null");

  private final WireServer server = new WireServer();
  private final ServiceClient client =
      new ServiceClient(ServiceSettings.of(URI.create(server.url() + "/"), "tk_secret"));
  private final HttpInventory inventory = new HttpInventory(client);
  private final HttpPayments payments = new HttpPayments(client);

  @AfterEach
  void close() throws Exception {
    client.close();
    server.close();
  }

  private void sent(String line, String body) throws InterruptedException {
    var received = server.received();
    assertThat(received.line()).isEqualTo(line + " HTTP/1.1");
    assertThat(received.body()).isEqualTo(body.replace('\'', '"'));
    assertThat(received.headers())
        .contains("Authorization: Bearer tk_secret", "Accept: application/json");
    if (line.startsWith("POST")) {
      assertThat(received.headers())
          .contains("Idempotency-Key: the-key", "Content-Type: application/json");
    }
  }

  private static Movement moved(String result) {
    return new Movement("ord_1", result);
  }

  private void movement(String result) {
    server.answer(200, "", "{\"order_id\":\"ord_1\",\"result\":\"" + result + "\"}");
  }

  @Test
  void items_are_reserved() throws Exception {
    server.answer(201, "", HELD);

    assertThat(inventory.reserve(ITEMS, "the-key"))
        .isEqualTo(
            Outcome.done(new Reservation("rsv_1", Instant.parse("2027-01-01T00:15:00Z"), TOTAL)));
    sent(
        "POST /api/v1/inventory/reservations",
        "{'booking_id':'ord_1','idempotency_key':'the-key','lines':[{'sku':'SKU-1','quantity':2}],"
            + "'total':{'amount':100000,'currency':'IDR'}}");
  }

  @Test
  void a_stay_is_reserved() throws Exception {
    server.answer(201, "", HELD);

    assertThat(inventory.reserve(STAY, "the-key")).isInstanceOf(Outcome.Succeeded.class);
    sent(
        "POST /api/v1/inventory/reservations",
        "{'booking_id':'ord_1','idempotency_key':'the-key','room_id':'ROOM','rooms':1,"
            + "'check_in':'2027-01-10','check_out':'2027-01-12'}");
  }

  @Test
  void holds_are_kept() throws Exception {
    server.answer(200, "", KEPT);

    assertThat(inventory.keep(ITEMS, "the-key"))
        .isEqualTo(Outcome.done(new Reservation("rsv_1", null, TOTAL)));
    assertThat(server.received().line())
        .isEqualTo("POST /api/v1/inventory/reservations/keep?bookingId=ord_1 HTTP/1.1");

    server.answer(200, "", HELD);
    assertThat(inventory.keep(ITEMS, "the-key")).isInstanceOf(Unclear.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'reservation_id':'r','expires_at':null,'total':{'amount':99999,'currency':'IDR'}}",
        "{'reservation_id':'r','expires_at':null,'total':{'amount':100000,'currency':'USD'}}",
        "{'reservation_id':'r','expires_at':null,'total':100000}",
        "{'reservation_id':'r','total':{'amount':100000,'currency':'IDR'}}",
        "{'reservation_id':'r','expires_at':'soon','total':{'amount':100000,'currency':'IDR'}}",
        "{'expires_at':null,'total':{'amount':100000,'currency':'IDR'}}"
      })
  void a_reservation_of_something_else_is_none(String body) {
    server.answer(201, "", body.replace('\'', '"'));

    assertThat(inventory.reserve(ITEMS, "the-key")).isInstanceOf(Unclear.class);
  }

  @Test
  void holds_are_confirmed() throws Exception {
    movement("confirmed");

    assertThat(inventory.confirm(STAY, "the-key")).isEqualTo(Outcome.done(moved("confirmed")));
    sent(
        "POST /api/v1/inventory/reservations/confirm?bookingId=ord_1",
        "{'booking_id':'ord_1','idempotency_key':'the-key','room_id':'ROOM','rooms':1,"
            + "'check_in':'2027-01-10','check_out':'2027-01-12'}");
  }

  @Test
  void stock_is_committed() throws Exception {
    movement("already_committed");

    assertThat(inventory.commit(ITEMS, "the-key"))
        .isEqualTo(Outcome.done(moved("already_committed")));
    sent(
        "POST /api/v1/inventory/commit",
        "{'order_id':'ord_1','idempotency_key':'the-key','lines':[{'sku':'SKU-1','quantity':2}],"
            + "'total':{'amount':100000,'currency':'IDR'}}");
  }

  @Test
  void goods_are_released_whatever_the_order_is_called() throws Exception {
    server.answer(200, "", "{\"order_id\":\"a b&c=d/é\",\"result\":\"released\"}");

    assertThat(inventory.release("a b&c=d/é", "the-key"))
        .isEqualTo(Outcome.done(new Movement("a b&c=d/é", "released")));
    sent(
        "POST /api/v1/inventory/release?bookingId=a%20b%26c%3Dd%2F%C3%A9",
        "{'idempotency_key':'the-key'}");
  }

  @Test
  void another_movement_than_the_one_asked_for_is_none() {
    movement("released");
    assertThat(inventory.commit(ITEMS, "the-key")).isInstanceOf(Unclear.class);

    server.answer(200, "", "{\"order_id\":\"ord_2\",\"result\":\"committed\"}");
    assertThat(inventory.commit(ITEMS, "the-key")).isInstanceOf(Unclear.class);
  }

  @Test
  void money_is_charged() throws Exception {
    server.answer(201, "", "{\"payment_transaction_id\":\"pay_1\",\"status\":\"charged\"}");

    assertThat(payments.charge(new Charge("ord_1", "pm_ok", TOTAL), "the-key"))
        .isEqualTo(Outcome.done(new Receipt("pay_1", TOTAL, "charged")));
    sent(
        "POST /api/v1/payments/charges",
        "{'order_id':'ord_1','payment_method':'pm_ok','amount':100000,'currency':'IDR'}");
  }

  private void refunded(long amount) {
    server.answer(
        201,
        "",
        "{\"payment_transaction_id\":\"ref_1\",\"status\":\"refunded\",\"amount\":"
            + amount
            + ",\"currency\":\"IDR\"}");
  }

  @Test
  void what_is_left_is_refunded() throws Exception {
    refunded(40_000);

    assertThat(payments.refund(new Refund("ord_1", TOTAL, true), "the-key"))
        .isEqualTo(Outcome.done(new Receipt("ref_1", new Money(40_000, "IDR"), "refunded")));
    sent(
        "POST /api/v1/payments/refunds",
        "{'order_id':'ord_1','whole':true,'amount':100000,'currency':'IDR'}");

    refunded(100_001);
    assertThat(payments.refund(new Refund("ord_1", TOTAL, true), "the-key"))
        .isInstanceOf(Unclear.class);
  }

  @Test
  void a_part_is_refunded_exactly() {
    refunded(40_000);

    assertThat(payments.refund(new Refund("ord_1", new Money(40_000, "IDR"), false), "the-key"))
        .isInstanceOf(Outcome.Succeeded.class);
    assertThat(payments.refund(new Refund("ord_1", TOTAL, false), "the-key"))
        .isInstanceOf(Unclear.class);
  }

  @Test
  void a_cart_is_cleared() throws Exception {
    server.answer(200, "", "{\"cart_id\":\"cart-9\"}");

    assertThat(new HttpCarts(client).clear("cart-9", "the-key"))
        .isEqualTo(Outcome.done(new Cleared("cart-9")));
    sent("POST /api/v1/cart/items/clear", "{'cart_id':'cart-9'}");

    assertThat(new HttpCarts(client).clear("cart-8", "the-key")).isInstanceOf(Unclear.class);
  }

  @Test
  void prices_are_looked_up() throws Exception {
    server.answer(200, "", "{\"price\":{\"amount\":50000,\"currency\":\"IDR\"}}");

    assertThat(new HttpCatalogue(client).items(List.of("SKU-1")))
        .isEqualTo(Outcome.done(Map.of("SKU-1", new Money(50_000, "IDR"))));
    sent("GET /api/v1/inventory/items/SKU-1", "");

    server.answer(404, "", "{\"code\":\"not_found\"}");
    assertThat(new HttpCatalogue(client).rooms(List.of("X"))).isEqualTo(Outcome.done(Map.of()));

    server.answer(500, "", "");
    assertThat(new HttpCatalogue(client).rooms(List.of("X")))
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.failure()).isInstanceOf(Unavailable.class));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ftp://host", "host:80", "http://me:secret@host", "http://host?x=1"})
  void an_address_that_cannot_be_one_is_refused(String url) {
    assertThatThrownBy(() -> ServiceSettings.of(URI.create(url), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("secret");
  }
}
