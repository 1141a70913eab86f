package dev.tuntas.server.services;

import static dev.tuntas.server.services.ServicesServer.ADMIN_KEY;
import static dev.tuntas.server.services.ServicesServer.CLIENT_KEY;
import static dev.tuntas.server.services.ServicesServer.SERVICE_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.audit.Audit;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the services say to those who call them by hand.
class ServicesApiTest {

  private static final String INVENTORY = "/api/v1/inventory";
  private static final String PRICE = "'price':{'amount':50000,'currency':'IDR'}";
  private static final LocalDate DAY = LocalDate.now(ZoneOffset.UTC).plusDays(10);

  private static ServicesServer server;

  @BeforeAll
  static void fill() {
    server = ServicesServer.shared();
    item("SKU-1", 100);
    item("SKU-2", 100);
    server.put(INVENTORY + "/rooms/ROOM", ADMIN_KEY, "{'count':10," + PRICE + "}");
  }

  private static void item(String sku, int stock) {
    var answer =
        server.put(INVENTORY + "/items/" + sku, ADMIN_KEY, "{'stock':" + stock + "," + PRICE + "}");
    assertThat(answer.status()).isEqualTo(200);
  }

  private static String reservation(String booking, String sku, int quantity) {
    return "{'booking_id':'%s','lines':[{'sku':'%s','quantity':%d}]}"
        .formatted(booking, sku, quantity);
  }

  @Test
  void an_item_is_put_and_shown_and_the_change_is_on_record() {
    item("SKU-9", 5);
    item("SKU-9", 7);

    var shown = server.get(INVENTORY + "/items/SKU-9", SERVICE_KEY);
    assertThat(shown.json().toString())
        .isEqualTo(
            "{\"sku\":\"SKU-9\",\"stock\":7,\"available\":7,\"held\":0,\"committed\":0,"
                + "\"price\":{\"amount\":50000,\"currency\":\"IDR\"}}");
    var entry = server.bean(Audit.class).newest(Optional.empty(), 1).getFirst().entry();
    assertThat(entry.action()).isEqualTo("inventory.put");
    assertThat(entry.subject()).isEqualTo("item SKU-9");
    assertThat(entry.before()).isEqualTo("5 at Rp 50,000");
    assertThat(entry.after()).isEqualTo("7 at Rp 50,000");
  }

  @Test
  void the_simulated_world_has_something_to_sell() {
    var rare = server.get(INVENTORY + "/items/SKU-RARE", SERVICE_KEY).json();

    assertThat(rare.path("available").asInt()).isEqualTo(100);
  }

  @Test
  void a_room_is_shown_by_the_night() {
    var body =
        "{'booking_id':'b-night','room_id':'ROOM','rooms':3,'check_in':'%s','check_out':'%s'}"
            .formatted(DAY, DAY.plusDays(2));
    var held = server.post(INVENTORY + "/reservations", "k-night", body);
    assertThat(held.status()).isEqualTo(201);
    assertThat(held.json().path("total").path("amount").asLong()).isEqualTo(300_000);
    assertThat(Instant.parse(held.json().path("expires_at").asString())).isAfter(Instant.now());

    var night = server.get(INVENTORY + "/rooms/ROOM?date=" + DAY, SERVICE_KEY).json();
    assertThat(night.path("available").asInt()).isEqualTo(7);
    assertThat(night.path("held").asInt()).isEqualTo(3);
    assertThat(night.path("count").asInt()).isEqualTo(10);
    assertThat(night.path("date").asString()).isEqualTo(DAY.toString());
    var after = server.get(INVENTORY + "/rooms/ROOM?date=" + DAY.plusDays(2), SERVICE_KEY).json();
    assertThat(after.path("available").asInt()).isEqualTo(10);
  }

  @Test
  void a_confirmation_without_a_body_takes_what_is_held() {
    server.post(INVENTORY + "/reservations", "k-c", reservation("b-c", "SKU-2", 4));

    var path = INVENTORY + "/reservations/confirm?bookingId=b-c";
    var confirmed = server.post(path, null, "");
    assertThat(confirmed.status()).isEqualTo(200);
    assertThat(confirmed.json().toString())
        .isEqualTo("{\"order_id\":\"b-c\",\"result\":\"confirmed\"}");
    assertThat(server.post(path, null, "").json()).isEqualTo(confirmed.json());
    var item = server.get(INVENTORY + "/items/SKU-2", SERVICE_KEY).json();
    assertThat(item.path("committed").asInt()).isEqualTo(4);

    var none = server.post(INVENTORY + "/reservations/confirm?bookingId=b-none", null, "");
    assertThat(none.status()).isEqualTo(409);
    assertThat(none.code()).isEqualTo("nothing_held");
  }

  @Test
  void a_release_is_known_by_two_names_and_happens_once() {
    item("SKU-R", 3);
    server.post(INVENTORY + "/reservations", "k-r", reservation("b-r", "SKU-R", 3));

    var first = server.post(INVENTORY + "/release?bookingId=b-r", null, "");
    assertThat(first.json().path("result").asString()).isEqualTo("released");
    var again = server.post(INVENTORY + "/release_reservation?bookingId=b-r", "other", "{}");
    assertThat(again.json().path("result").asString()).isEqualTo("already_released");
    var item = server.get(INVENTORY + "/items/SKU-R", SERVICE_KEY).json();
    assertThat(item.path("available").asInt()).isEqualTo(3);
    var late = server.post(INVENTORY + "/reservations", "k-l", reservation("b-r", "SKU-R", 1));
    assertThat(late.status()).isEqualTo(409);
    assertThat(late.code()).isEqualTo("released");
  }

  @Test
  void stock_that_is_in_use_is_not_taken_away() {
    item("SKU-U", 3);
    server.post(
        INVENTORY + "/commit",
        "k-u",
        reservation("b-u", "SKU-U", 2).replace("booking_id", "order_id"));

    var refused = server.put(INVENTORY + "/items/SKU-U", ADMIN_KEY, "{'stock':1," + PRICE + "}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("stock_in_use");
  }

  @Test
  void the_key_is_the_header_or_a_field_and_not_two_things() {
    var body = "{'idempotency_key':'k-f'," + reservation("b-f", "SKU-1", 1).substring(1);

    assertThat(server.post(INVENTORY + "/reservations", null, body).status()).isEqualTo(201);
    assertThat(server.post(INVENTORY + "/reservations", "k-f", body).status()).isEqualTo(201);
    var differ = server.post(INVENTORY + "/reservations", "k-g", body);
    assertThat(differ.status()).isEqualTo(400);
    assertThat(differ.code()).isEqualTo("idempotency_key_invalid");
    var none = server.post(INVENTORY + "/reservations", null, reservation("b-f", "SKU-1", 1));
    assertThat(none.status()).isEqualTo(400);
    assertThat(none.code()).isEqualTo("idempotency_key_missing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}|422|field_required",
        "{'booking_id':'b'}|422|field_required",
        "{'booking_id':'b','lines':[]}|422|lines_invalid",
        "{'booking_id':'b','lines':[{'sku':'SKU-1','quantity':0}]}|422|out_of_range",
        "{'booking_id':'b','lines':[{'sku':'SKU-1','quantity':'2'}]}|422|field_type",
        "{'booking_id':'b','lines':[{'sku':'SKU-1','quantity':2.5}]}|422|field_type",
        "{'booking_id':'b','lines':[{'sku':'SKU-1','quantity':99999999999}]}|422|out_of_range",
        "{'booking_id':'b','lines':[{'sku':'S K U','quantity':1}]}|422|text_invalid",
        "{'booking_id':'b','lines':[{'sku':'SKU-1','quantity':1}],'price':1}|400|unknown_field",
        "{'booking_id':'b','lines':[{'sku':'NONE','quantity':1}]}|422|sku_unknown",
        "{'booking_id':'b','lines':[{'sku':'SKU-1','quantity':101}]}|409|out_of_stock",
        "{'booking_id':'b','room_id':'NONE','rooms':1,'check_in':'2199-01-01','check_out':'2199-01-02'}|422|room_unknown",
        "{'booking_id':'b','room_id':'ROOM','rooms':1,'check_in':'2199-01-01','check_out':'2199-01-01'}|422|time_invalid",
        "{'booking_id':'b','room_id':'ROOM','rooms':1,'check_in':'2199-01-05','check_out':'2199-01-01'}|422|time_invalid",
        "{'booking_id':'b','room_id':'ROOM','rooms':1,'check_in':'2199-01-01','check_out':'2199-02-01'}|422|time_invalid",
        "{'booking_id':'b','room_id':'ROOM','rooms':1,'check_in':'2020-01-01','check_out':'2020-01-02'}|422|time_invalid",
        "{'booking_id':'b','room_id':'ROOM','rooms':1,'check_in':'2026-02-30','check_out':'2026-03-02'}|422|time_invalid",
        "{'booking_id':'b','room_id':'ROOM','rooms':1,'check_in':'9999-12-31','check_out':'+10000-01-01'}|422|time_invalid",
        "{'booking_id':'b','room_id':'ROOM','rooms':11,'check_in':'2199-01-01','check_out':'2199-01-02'}|409|out_of_stock",
        "{'booking_id':'b','room_id':'ROOM','rooms':1,'check_in':'2199-01-01','check_out':'2199-01-02','lines':[]}|400|unknown_field",
        "{'booking_id':'b','lines':[{'sku':'SKU-1','quantity':1}],'total':5}|422|field_type",
        "{'booking_id':'b','lines':[{'sku':'SKU-1','quantity':1}],'total':{'amount':5,'currency':'XXX'}}|422|currency_invalid"
      })
  void bad_reservations(String body, int status, String code) {
    var answer = server.post(INVENTORY + "/reservations", "bad-" + body.hashCode(), body);

    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.response().headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/problem+json");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/reservations/confirm",
        "/reservations/confirm?bookingId=",
        "/reservations/confirm?bookingId=a%00b",
        "/reservations/confirm?bookingId=a&bookingId=b",
        "/reservations/confirm?bookingId=a&x=1",
        "/release?booking=a",
        "/reservations/keep?bookingId=%C3%A9"
      })
  void a_booking_that_is_not_named_properly(String path) {
    var answer = server.post(INVENTORY + path, "k", "{}");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("parameter_invalid");
  }

  @ParameterizedTest
  @ValueSource(strings = {"yesterday", "2027-02-30", "2027-1-1", "+12027-01-01", ""})
  void a_date_that_is_none(String date) {
    var answer = server.get(INVENTORY + "/rooms/ROOM?date=" + date, SERVICE_KEY);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("parameter_invalid");
  }

  @Test
  void what_does_not_exist_is_not_found() {
    assertThat(server.get(INVENTORY + "/items/NONE", SERVICE_KEY).status()).isEqualTo(404);
    assertThat(server.get(INVENTORY + "/rooms/NONE", SERVICE_KEY).status()).isEqualTo(404);
    assertThat(server.get("/api/v1/payments/NONE", SERVICE_KEY).status()).isEqualTo(404);
    assertThat(server.get("/api/v1/carts/NONE", SERVICE_KEY).status()).isEqualTo(404);
  }

  @Test
  void clients_have_no_business_here() {
    assertThat(server.get(INVENTORY + "/items/SKU-1", CLIENT_KEY).status()).isEqualTo(403);
    assertThat(server.get("/api/v1/carts/cart-1", CLIENT_KEY).status()).isEqualTo(403);
    assertThat(server.put(INVENTORY + "/items/SKU-1", SERVICE_KEY, "{}").status()).isEqualTo(403);
    assertThat(server.get(INVENTORY + "/items/SKU-1", "nonsense").status()).isEqualTo(401);
  }

  private static final String CHARGE =
      "{'order_id':'%s','payment_method':'%s','amount':1000,'currency':'IDR'}";

  @Test
  void a_charge_and_its_refund_by_transaction_id() {
    var charged =
        server.post("/api/v1/payments/charges", "c-1", CHARGE.formatted("pay-1", "pm_ok"));
    assertThat(charged.status()).isEqualTo(201);
    assertThat(charged.json().path("status").asString()).isEqualTo("charged");
    var transaction = charged.json().path("payment_transaction_id").asString();

    var refund =
        "{'payment_transaction_id':'%s','amount':400,'currency':'IDR'}".formatted(transaction);
    var refunded = server.post("/api/v1/payments/refunds", "r-1", refund);
    assertThat(refunded.status()).isEqualTo(201);
    assertThat(refunded.json().path("status").asString()).isEqualTo("refunded");
    assertThat(refunded.json().path("amount").asLong()).isEqualTo(400);
    var tooMuch = server.post("/api/v1/payments/refunds", "r-2", refund.replace("400", "601"));
    assertThat(tooMuch.status()).isEqualTo(422);
    assertThat(tooMuch.code()).isEqualTo("refund_exceeds_captured");

    var ledger = server.get("/api/v1/payments/pay-1", SERVICE_KEY).json();
    assertThat(ledger.path("captured").path("amount").asLong()).isEqualTo(1000);
    assertThat(ledger.path("refunded").path("amount").asLong()).isEqualTo(400);
    assertThat(ledger.path("journal").size()).isEqualTo(4);
  }

  @Test
  void a_declined_charge() {
    var declined =
        server.post("/api/v1/payments/charges", "c-2", CHARGE.formatted("pay-2", "pm_declined"));

    assertThat(declined.status()).isEqualTo(402);
    assertThat(declined.code()).isEqualTo("payment_declined");
  }

  @Test
  void a_charge_that_nobody_knows_about_is_no_failure() {
    var unclear =
        server.post("/api/v1/payments/charges", "c-3", CHARGE.formatted("pay-3", "pm_lost_reply"));
    assertThat(unclear.status()).isEqualTo(503);
    assertThat(unclear.code()).isEqualTo("outcome_unclear");
    assertThat(unclear.response().headers().firstValue("Retry-After")).isPresent();

    var told =
        server.post("/api/v1/payments/charges", "c-3", CHARGE.formatted("pay-3", "pm_lost_reply"));
    assertThat(told.status()).isEqualTo(201);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "charges|{'order_id':'p','payment_method':'pm_ok','amount':-1,'currency':'IDR'}|422|amount_invalid",
        "charges|{'order_id':'p','payment_method':'pm_ok','amount':1.5,'currency':'IDR'}|422|field_type",
        "charges|{'order_id':'p','payment_method':'pm_ok','amount':1,'currency':'idr'}|422|currency_invalid",
        "charges|{'order_id':'p','payment_method':'pm_none','amount':1,'currency':'IDR'}|422|payment_method_invalid",
        "charges|{'payment_method':'pm_ok','amount':1,'currency':'IDR'}|422|field_required",
        "refunds|{'amount':1,'currency':'IDR'}|422|field_required",
        "refunds|{'order_id':'p-none','amount':1,'currency':'IDR'}|409|nothing_to_refund",
        "refunds|{'order_id':'p-none','amount':0,'currency':'IDR'}|422|amount_invalid",
        "refunds|{'payment_transaction_id':'none','amount':1,'currency':'IDR'}|409|nothing_to_refund",
        "refunds|{'order_id':'p-none','whole':'yes','amount':1,'currency':'IDR'}|422|field_type"
      })
  void bad_payments(String what, String body, int status, String code) {
    var answer = server.post("/api/v1/payments/" + what, "bad-" + body.hashCode(), body);

    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.status()).isEqualTo(status);
  }

  @Test
  void a_cart_is_put_shown_and_cleared() {
    var put =
        server.put("/api/v1/carts/cart-9", SERVICE_KEY, "{'lines':[{'sku':'SKU-1','quantity':2}]}");
    assertThat(put.status()).isEqualTo(200);
    assertThat(server.get("/api/v1/carts/cart-9", SERVICE_KEY).json().path("lines").toString())
        .isEqualTo("[{\"sku\":\"SKU-1\",\"quantity\":2}]");

    var cleared = server.post("/api/v1/cart/items/clear", null, "{'cart_id':'cart-9'}");
    assertThat(cleared.status()).isEqualTo(200);
    assertThat(cleared.json().path("cart_id").asString()).isEqualTo("cart-9");
    assertThat(server.get("/api/v1/carts/cart-9", SERVICE_KEY).json().path("lines").size())
        .isZero();
    assertThat(server.post("/api/v1/cart/items/clear", null, "{}").code())
        .isEqualTo("field_required");
  }
}
