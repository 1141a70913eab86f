package dev.tuntas.server.services;

import static dev.tuntas.server.services.ServicesServer.SERVICE_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.inventory.StockAudit;
import dev.tuntas.payment.Books;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Orders of one process, whose inventory, payment and carts are in another.
class OrdersElsewhereTest {

  private static final LocalDate DAY = LocalDate.now(ZoneOffset.UTC).plusDays(20);

  @TempDir private static Path data;
  private static ServicesServer services;
  private static ServicesServer orders;

  @BeforeAll
  static void start() {
    services = ServicesServer.start(data.resolve("services"));
    orders =
        ServicesServer.withOrders(
            data.resolve("orders"),
            "--tuntas.partners.inventory.url=" + services.url(),
            "--tuntas.partners.payment.url=" + services.url(),
            "--tuntas.partners.cart.url=" + services.url());
  }

  @AfterAll
  static void stop() {
    orders.close();
    assertThat(services.bean(StockAudit.class).violations()).isEmpty();
    assertThat(services.bean(Books.class).violations()).isEmpty();
    services.close();
  }

  private static JsonNode item(String sku) {
    return services.get("/api/v1/inventory/items/" + sku, SERVICE_KEY).json();
  }

  private static String checkout(String sku, int quantity, String method) {
    return "{'kind':'checkout','customer_id':'cus-1','cart_id':'cart-1','payment_method':'%s',"
            .formatted(method)
        + "'lines':[{'sku':'%s','quantity':%d}]}".formatted(sku, quantity);
  }

  private static long captured(String order) {
    var ledger = services.get("/api/v1/payments/" + order, SERVICE_KEY).json();
    return ledger.path("captured").path("amount").asLong()
        - ledger.path("refunded").path("amount").asLong();
  }

  @Test
  void a_checkout_takes_goods_and_money_there_and_clears_the_cart() {
    services.put("/api/v1/carts/cart-1", SERVICE_KEY, "{'lines':[{'sku':'SKU-2','quantity':3}]}");

    var answer = orders.order("k-1", checkout("SKU-2", 3, "pm_ok"));
    assertThat(answer.status()).isEqualTo(201);
    assertThat(item("SKU-2").path("committed").asInt()).isEqualTo(3);
    assertThat(captured(answer.json().path("order_id").asString())).isEqualTo(150_000);
    assertThat(services.get("/api/v1/carts/cart-1", SERVICE_KEY).json().path("lines").size())
        .isZero();
  }

  @Test
  void a_declined_payment_leaves_everything_as_it_was() {
    var answer = orders.order("k-2", checkout("SKU-3", 1, "pm_declined"));

    assertThat(answer.status()).isEqualTo(402);
    assertThat(item("SKU-3").path("available").asInt()).isEqualTo(1_000_000);
  }

  @Test
  void goods_that_ran_out_are_refunded() {
    var answer = orders.order("k-3", checkout("SKU-RARE", 101, "pm_ok"));

    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.code()).isEqualTo("out_of_stock");
    assertThat(captured(answer.json().path("order_id").asString())).isZero();
    assertThat(item("SKU-RARE").path("available").asInt()).isEqualTo(100);
  }

  @Test
  void a_lost_reply_is_asked_for_again_and_charged_once() {
    var answer = orders.order("k-4", checkout("SKU-4", 1, "pm_lost_reply"));

    assertThat(answer.status()).isEqualTo(201);
    assertThat(captured(answer.json().path("order_id").asString())).isEqualTo(100_000);
  }

  @Test
  void a_stay_is_booked_there() {
    var answer =
        orders.order(
            "k-5",
            ("{'kind':'booking','customer_id':'cus-1','payment_method':'pm_ok','room_id':'ROOM-DLX',"
                 + "'rooms':2,'check_in':'%s','check_out':'%s'}")
                .formatted(DAY, DAY.plusDays(1)));

    assertThat(answer.status()).isEqualTo(201);
    var night = services.get("/api/v1/inventory/rooms/ROOM-DLX?date=" + DAY, SERVICE_KEY).json();
    assertThat(night.path("committed").asInt()).isEqualTo(2);
  }

  @Test
  void what_the_catalogue_there_does_not_know_cannot_be_ordered() {
    var answer = orders.order("k-6", checkout("SKU-NONE", 1, "pm_ok"));

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.code()).isEqualTo("sku_unknown");
  }
}
