package dev.tuntas.server.orders;

import static dev.tuntas.server.orders.Orders.booking;
import static dev.tuntas.server.orders.Orders.checkout;
import static dev.tuntas.server.orders.Orders.id;
import static dev.tuntas.server.orders.Orders.newKey;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import dev.tuntas.server.HeldStock;
import dev.tuntas.server.TestServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class OrdersApiTest {

  private final Orders orders = Orders.ofClient();

  private static long entries(String ledger, String orderId) {
    return Client.admin()
        .get("/sim/" + ledger + "/ledger")
        .json()
        .path("entries")
        .valueStream()
        .filter(entry -> entry.path("order_id").asString().equals(orderId))
        .count();
  }

  private static long available(String sku) {
    var item = Client.admin().get("/api/v1/inventory/items/" + sku).json();
    return item.path("available").asLong();
  }

  @Test
  void an_order_is_accepted_and_then_confirmed() throws Exception {
    var answer = orders.place(checkout("pm_ok", "SKU-1", 2), newKey());

    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.header("Location")).contains(answer.json().at("/links/self").asString());
    assertThat(answer.json().path("status").asString()).isEqualTo("ACCEPTED");
    until(() -> orders.status(id(answer)).equals("CONFIRMED"));
    var order = orders.show(id(answer)).json();
    assertThat(order.at("/total/amount").asLong()).isEqualTo(50_000);
    assertThat(order.at("/paid/amount").asLong()).isEqualTo(50_000);
    assertThat(order.at("/steps/0/key").asString()).isEqualTo("charge-" + id(answer));
    assertThat(order.path("message").asString()).isEqualTo("Order Confirmed!");
    assertThat(entries("bank", id(answer))).isEqualTo(1);
    assertThat(entries("warehouse", id(answer))).isEqualTo(1);
  }

  @Test
  void a_declined_payment_is_told_as_402_and_leaves_nothing() throws Exception {
    long before = available("SKU-2");
    var answer = orders.placeAndWait(checkout("pm_declined", "SKU-2", 5));

    assertThat(answer.status()).isEqualTo(402);
    assertThat(answer.code()).isEqualTo("payment_declined");
    assertThat(answer.header("Preference-Applied")).contains("wait");
    assertThat(orders.status(id(answer))).isEqualTo("FAILED");
    assertThat(orders.show(id(answer)).json().at("/paid/amount").asLong()).isZero();
    assertThat(entries("bank", id(answer))).isZero();
    assertThat(available("SKU-2")).isEqualTo(before);
  }

  @Test
  void a_lost_reply_is_one_charge_and_a_confirmed_order() {
    var answer = orders.placeAndWait(booking("pm_lost_reply", 40, 2));

    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.json().path("recovery_confirmed").asBoolean()).isTrue();
    assertThat(entries("bank", id(answer))).isEqualTo(1);
  }

  @Test
  void what_is_sold_out_is_told_as_409_and_refunded() {
    Client.admin()
        .send(
            "PUT",
            "/api/v1/inventory/items/SKU-NONE",
            "{\"stock\":0,\"price\":{\"amount\":100,\"currency\":\"IDR\"}}");
    var answer = orders.placeAndWait(checkout("pm_ok", "SKU-NONE", 1));

    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.code()).isEqualTo("out_of_stock");
    var order = orders.show(id(answer)).json();
    assertThat(order.path("status").asString()).isEqualTo("FAILED");
    assertThat(order.at("/refunded/amount").asLong()).isEqualTo(100);
    assertThat(order.at("/reason/code").asString()).isEqualTo("out_of_stock");
  }

  @Test
  void once_a_final_answer_was_given_every_replay_gets_it() {
    var key = newKey();
    var body = checkout("pm_declined", "SKU-1", 1);
    assertThat(orders.place(body, key).status()).isEqualTo(202);
    assertThat(orders.place(body, key, "Prefer", "wait=20").status()).isEqualTo(402);

    var replay = orders.place(body, key);
    assertThat(replay.status()).isEqualTo(402);
    assertThat(replay.header("Idempotency-Replayed")).contains("true");
  }

  @Test
  void a_cancellation_later_does_not_change_what_was_told() throws Exception {
    var key = newKey();
    var body = booking("pm_lost_reply", 50, 1);
    var told = orders.place(body, key, "Prefer", "wait=20");
    assertThat(told.status()).isEqualTo(201);

    orders.cancel(id(told));
    until(() -> orders.status(id(told)).equals("FAILED"));
    assertThat(orders.place(body, key).status()).isEqualTo(201);
    assertThat(orders.place(body, key, "Prefer", "wait=1").status()).isEqualTo(201);
  }

  @Test
  void until_then_a_replay_is_the_first_answer_again() {
    var key = newKey();
    var first = orders.place(checkout("pm_ok", "SKU-1", 1), key);
    var again =
        orders.place(
            """
            {"lines":[{"quantity":1.0,"sku":"SKU-1"}],"cart_id":"cart-9","kind":"checkout",
             "payment_method":"pm_ok","customer_id":"cus-1"}\
            """,
            "\"" + key + "\"");

    assertThat(again.status()).isEqualTo(202);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.header("Idempotency-Replayed")).contains("true");
    assertThat(first.header("Idempotency-Replayed")).isEmpty();
  }

  @Test
  void twenty_at_once_are_one_order_and_one_body() throws Exception {
    var key = newKey();
    var requests = new ArrayList<Callable<Answer>>();
    for (int i = 0; i < 20; i++) {
      requests.add(() -> orders.place(checkout("pm_ok", "SKU-1", 1), key));
    }
    var bodies = new HashSet<String>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var future : threads.invokeAll(requests)) {
        assertThat(future.get().status()).isIn(202, 429);
        if (future.get().status() == 202) bodies.add(future.get().body());
      }
    }
    assertThat(bodies).hasSize(1);
  }

  @Test
  void another_clients_key_of_the_same_text_is_its_own_order() {
    var made =
        Client.admin()
            .post("/api/v1/admin/keys", "{\"client\":\"other-shop\",\"roles\":[\"client\"]}");
    var others = new Orders(Client.client().with(made.json().path("key").asString()));
    var key = newKey();
    var mine = orders.place(checkout("pm_ok", "SKU-1", 1), key);
    var theirs = others.place(checkout("pm_ok", "SKU-1", 7), key);

    assertThat(theirs.status()).isEqualTo(202);
    assertThat(id(theirs)).isNotEqualTo(id(mine));
    assertThat(others.show(id(mine)).status()).isEqualTo(404);
    assertThat(others.cancel(id(mine)).status()).isEqualTo(404);
  }

  @Test
  void polling_is_cheap() throws Exception {
    var answer = orders.placeAndWait(checkout("pm_ok", "SKU-1", 1));
    var tag = orders.show(id(answer)).header("ETag").orElseThrow();

    assertThat(orders.show(id(answer), "If-None-Match", tag).status()).isEqualTo(304);
    assertThat(orders.show(id(answer), "If-None-Match", "W/" + tag).status()).isEqualTo(304);
    assertThat(orders.show(id(answer), "If-None-Match", "\"0\"").status()).isEqualTo(200);
  }

  @Test
  void an_order_is_followed_to_its_end_and_from_where_the_client_was() {
    var answer = orders.place(checkout("pm_ok", "SKU-1", 1), newKey());
    var path = Orders.PATH + "/" + id(answer) + "/events";
    var all = Client.client().get(path).body();

    assertThat(all).contains("event: order", "\"status\":\"CONFIRMED\"");
    assertThat(all).endsWith("event: end\ndata: {}\n\n");
    var rest = Client.client().get(path, "Last-Event-ID", "99").body();
    assertThat(rest).isEqualTo("event: end\ndata: {}\n\n");
  }

  @Test
  void the_customers_page_tells_the_story_and_a_wrong_link_tells_nothing() {
    var answer = orders.placeAndWait(checkout("pm_ok", "SKU-1", 1));
    var page = answer.json().at("/links/page").asString();
    var shown = Client.nobody().get(page);

    assertThat(shown.status()).isEqualTo(200);
    assertThat(shown.body()).contains("Your order is confirmed", "Rp 25,000", id(answer));
    assertThat(shown.body()).doesNotContain("cus-1");
    var wrong = page.substring(0, page.length() - 1) + (page.endsWith("0") ? "1" : "0");
    assertThat(Client.nobody().get(wrong).status()).isEqualTo(404);
    assertThat(Client.nobody().get("/o/" + id(answer)).status()).isEqualTo(404);
  }

  @Test
  void a_confirmed_order_cannot_be_cancelled_and_one_in_doubt_is_when_it_is_known()
      throws Exception {
    var confirmed = orders.placeAndWait(checkout("pm_ok", "SKU-1", 1));
    assertThat(orders.cancel(id(confirmed)).status()).isEqualTo(409);
    assertThat(orders.cancel(id(confirmed)).code()).isEqualTo("order_not_cancellable");

    var doubtful = orders.place(booking("pm_never", 60, 1), newKey());
    until(() -> orders.status(id(doubtful)).equals("PAYMENT_SENT"));
    assertThat(orders.cancel(id(doubtful)).status()).isEqualTo(202);
    assertThat(orders.cancel(id(doubtful)).status()).isEqualTo(202);
  }

  @Test
  void a_slow_payment_that_is_cancelled_is_refunded() throws Exception {
    Answer slow;
    try (var _ = new HeldStock(TestServer.running())) {
      slow = orders.place(checkout("pm_slow", "SKU-3", 1), newKey());
      orders.cancel(id(slow));
    }
    until(() -> orders.status(id(slow)).equals("FAILED"));

    var order = orders.show(id(slow)).json();
    assertThat(order.at("/reason/code").asString()).isEqualTo("CANCELLED_BY_USER");
    assertThat(order.at("/paid/amount").asLong()).isEqualTo(order.at("/refunded/amount").asLong());
  }

  @Test
  void lists_are_paged_and_filtered() throws Exception {
    for (int i = 0; i < 3; i++) orders.placeAndWait(checkout("pm_declined", "SKU-1", 1));
    var path = Orders.PATH + "?status=FAILED&kind=checkout&limit=2";
    var all = path.replace("limit=2", "limit=3");
    until(() -> Client.client().get(all).json().path("items").size() == 3);
    var first = Client.client().get(path).json();
    var next = first.path("next_cursor").asString();
    var second = Client.client().get(path + "&cursor=" + next).json();

    assertThat(second.path("items").size()).isPositive();
    assertThat(second.at("/items/0/order_id").asString())
        .isLessThan(first.at("/items/1/order_id").asString());
    assertThat(first.at("/items/0/status").asString()).isEqualTo("FAILED");
  }
}
