package dev.tuntas.server.support;

import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Engine;
import dev.tuntas.engine.Ruling;
import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import dev.tuntas.server.orders.Orders;
import dev.tuntas.store.Tables;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Orders whose data is damaged, seen from outside.
class StuckOrdersApiTest {

  private static final String RIDE =
      """
      {"kind":"ride","customer_id":"USR-1","service_type":"RIDE","channel":"MYBB",
       "pickup_location":{"latitude":-6.9,"longitude":107.6},
       "dropoff_location":{"latitude":-6.95,"longitude":107.61},
       "payment":{"status":"PAID","amount":1000,"currency":"IDR"}}\
      """;

  private final Client admin = Client.admin();
  private final Orders orders = new Orders(Client.client());
  private String damaged = "";
  private String data = "";

  @AfterEach
  void repair() {
    write(damaged, data);
    admin.send("PUT", "/sim/bbd", "{\"reset\":true}");
  }

  private static Tables tables() {
    return TestServer.running().context().getBean("orderTables", Tables.class);
  }

  private static boolean sleeps(String order) {
    return tables()
        .read(
            "look at a saga",
            session ->
                session
                    .first(
                        "select 1 from tuntas_saga where id = ? and status = 'W'",
                        row -> row.getInt(1),
                        order)
                    .isPresent());
  }

  private void damage(String order) {
    damaged = order;
    data = write(order, "{\"kind\":");
  }

  /// Returns what was there before.
  private static String write(String order, String data) {
    return tables()
        .write(
            "write an order's data",
            session -> {
              var before =
                  session.first(
                      "select data from tuntas_saga where id = ?", row -> row.getString(1), order);
              session.update("update tuntas_saga set data = ? where id = ?", data, order);
              return before.orElseThrow();
            });
  }

  private List<JsonNode> tickets(String order) {
    return admin
        .get("/api/v1/support/tickets?order_id=" + order)
        .json()
        .path("items")
        .valueStream()
        .toList();
  }

  private JsonNode listed(String order) {
    return admin
        .get("/api/v1/orders?kind=ride&limit=100")
        .json()
        .path("items")
        .valueStream()
        .filter(it -> it.path("order_id").asString().equals(order))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void an_order_that_cannot_be_read_when_somebody_asks_for_it_is_a_ticket() throws Exception {
    var order = Orders.id(orders.placeAndWait(Orders.checkout("pm_ok", "SKU-1", 1)));
    damage(order);
    var answer = orders.show(order);
    assertThat(answer.status()).isEqualTo(500);
    assertThat(answer.code()).isEqualTo("order_unreadable");
    orders.show(order);
    until(() -> !tickets(order).isEmpty());
    assertThat(tickets(order))
        .extracting(it -> it.path("type").asString())
        .containsExactly("FAILED_TO_GET_ORDER");
  }

  @Test
  void an_order_that_cannot_be_read_when_it_should_go_on_is_set_aside_with_a_ticket()
      throws Exception {
    admin.send("PUT", "/sim/bbd", "{\"driver_rate\":0,\"callback_delay_ms\":[10,20]}");
    var order = Orders.id(orders.place(RIDE, Orders.newKey()));
    until(() -> orders.status(order).equals("ASSIGNED") && sleeps(order));
    damage(order);
    TestServer.running().bean(Engine.class).rule(order, Ruling.cancel("test", "no longer wanted"));
    until(() -> listed(order).path("needs_attention").asBoolean());
    assertThat(listed(order).path("status").asString()).isEqualTo("UNKNOWN");
    until(() -> !tickets(order).isEmpty());
    assertThat(tickets(order))
        .extracting(it -> it.path("type").asString())
        .containsExactly("FAILED_TO_GET_ORDER");
  }
}
