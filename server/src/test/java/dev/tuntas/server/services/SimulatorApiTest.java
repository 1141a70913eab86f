package dev.tuntas.server.services;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The simulated partners over HTTP, beside orders that use them.
class SimulatorApiTest {

  private static final String CALM =
      "{\"down\":false,\"error_rate\":0.0,\"latency_ms\":0,\"lost_reply_rate\":0.0}";

  @Test
  void behaviour_is_set_and_restored() {
    var admin = Client.admin();
    assertThat(admin.get("/sim/cart").body()).isEqualTo(CALM);

    var changed = admin.send("PUT", "/sim/cart", "{\"latency_ms\":1}");
    assertThat(changed.status()).isEqualTo(200);
    assertThat(admin.get("/sim/cart").json().path("latency_ms").intValue()).isEqualTo(1);

    assertThat(admin.send("PUT", "/sim/cart", "{\"reset\":true}").body()).isEqualTo(CALM);
  }

  @Test
  void it_is_for_admins() {
    for (var path : List.of("/sim/bank", "/sim/warehouse", "/sim/bank/ledger")) {
      assertThat(Client.nobody().get(path).status()).as(path).isEqualTo(401);
      assertThat(Client.client().get(path).status()).as(path).isEqualTo(403);
    }
    var change = Client.client().send("PUT", "/sim/bank", "{\"down\":true}");
    assertThat(change.status()).isEqualTo(403);
    assertThat(Client.admin().get("/sim/bank").body()).isEqualTo(CALM);
  }

  @Test
  void nonsense_is_a_problem_and_not_a_fault() {
    var admin = Client.admin();
    assertThat(admin.send("PUT", "/sim/bank", "{\"error_rate\":1e999}").code())
        .isEqualTo("out_of_range");
    assertThat(admin.send("PUT", "/sim/bank", "{\"error_rate\":{}}").code())
        .isEqualTo("field_type");
    assertThat(admin.send("PUT", "/sim/bank", "{\"mood\":1}").status()).isEqualTo(400);
    assertThat(admin.send("PUT", "/sim/nobody", "{}").status()).isEqualTo(404);
    assertThat(admin.get("/sim/cart/ledger").status()).isEqualTo(404);
  }

  @Test
  void a_payment_whose_answer_was_lost_is_in_the_ledger_once() {
    var order =
        Client.client()
            .post(
                "/api/v1/orders",
                """
                {"kind":"checkout","customer_id":"cus-1","payment_method":"pm_lost_reply",
                 "lines":[{"sku":"SKU-3","quantity":2}]}
                """,
                "Idempotency-Key",
                "simulator-api-lost-reply",
                "Prefer",
                "wait=15");
    assertThat(order.status()).as(order.body()).isEqualTo(201);

    var id = order.json().path("order_id").asString();
    var charges = entries("bank", id);
    assertThat(charges).hasSize(1);
    assertThat(charges.getFirst().path("amount").intValue()).isEqualTo(150_000);
    assertThat(charges.getFirst().path("result").asString()).isEqualTo("charged");
    assertThat(entries("warehouse", id))
        .extracting(entry -> entry.path("operation").asString())
        .containsExactly("commit");
  }

  private static List<JsonNode> entries(String partner, String order) {
    return Client.admin()
        .get("/sim/" + partner + "/ledger")
        .json()
        .path("entries")
        .valueStream()
        .filter(entry -> entry.path("order_id").asString().equals(order))
        .toList();
  }
}
