package dev.tuntas.server.orders;

import static dev.tuntas.server.orders.Orders.id;
import static dev.tuntas.server.orders.Orders.newKey;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Rides through the API, with the simulated partner, who calls back over HTTP.
class RidesApiTest {

  private final Orders orders = Orders.ofClient();

  @BeforeEach
  void quickPartner() {
    partner(
        """
        {"callback_rate":1,"callback_delay_ms":[10,20],"assign_delay_ms":[10,20],
         "search_ms":[10,20],"pick_up_ms":[10,20],"trip_ms":[10,20]}\
        """);
  }

  @AfterEach
  void usualPartner() {
    partner("{\"reset\":true}");
  }

  private static void partner(String manners) {
    assertThat(Client.admin().send("PUT", "/sim/bbd", manners).status()).isEqualTo(200);
  }

  private static String ride(String paymentStatus) {
    return """
    {"kind":"ride","customer_id":"USR-123456","service_type":"RIDE","channel":"MYBB",
     "loyalty_level":"VOYAGER","pickup_location":{"latitude":-6.2088,"longitude":106.8456},
     "dropoff_location":{"latitude":-6.1256,"longitude":106.6559},
     "payment":{"status":"%s","amount":150000,"currency":"IDR"}}\
    """
        .formatted(paymentStatus);
  }

  /// What is not decided in a moment is told as 202, and comes.
  private void cancel(String order) throws Exception {
    var answer = orders.cancel(order);
    assertThat(answer.status()).isIn(200, 202);
    if (answer.status() == 200) {
      assertThat(answer.json().path("status").asString()).isEqualTo("CANCELLED_BY_USER");
    }
    until(() -> orders.status(order).equals("CANCELLED_BY_USER"));
  }

  private Answer pay(String order, String status) {
    return Client.client()
        .send("PUT", Orders.PATH + "/" + order + "/payment", "{\"status\":\"" + status + "\"}");
  }

  private static String tickets(String order) {
    var found = Client.admin().get("/api/v1/support/tickets?order_id=" + order).json();
    return found.path("items").valueStream().map(it -> it.path("type").asString()).toList() + "";
  }

  @Test
  void a_ride_goes_all_the_way() throws Exception {
    var answer = orders.place(ride("PAID"), newKey());
    assertThat(answer.status()).isEqualTo(202);
    assertThat(answer.json().path("status").asString()).isEqualTo("PENDING_JOB_ID");
    until(() -> orders.status(id(answer)).equals("COMPLETED"));
    var order = orders.show(id(answer)).json();
    assertThat(order.path("job_id").asString()).startsWith("job-");
    assertThat(order.path("booking_id").asString()).startsWith("bbd-");
    assertThat(order.at("/driver/id").asString()).startsWith("drv-");
    assertThat(order.path("payment_status").asString()).isEqualTo("PAID");
    assertThat(order.at("/paid/amount").asLong()).isEqualTo(150_000);
    assertThat(order.path("dispatch_attempt").asInt()).isEqualTo(1);
    assertThat(
            Duration.between(
                Instant.parse(order.path("created_at").asString()),
                Instant.parse(order.path("lifetime_ends_at").asString())))
        .isBetween(Duration.ofMinutes(29), Duration.ofMinutes(31));
    var page = Client.nobody().get(order.at("/links/page").asString()).body();
    assertThat(page).contains("You have arrived");
  }

  @Test
  void without_callbacks_the_job_id_is_asked_for_after_five_to_eight_seconds() throws Exception {
    partner("{\"callback_rate\":0}");
    var answer = orders.place(ride("PAID"), newKey());
    until(() -> step(orders.show(id(answer)).json(), "job").has("next_attempt_at"));
    var order = orders.show(id(answer)).json();
    var job = step(order, "job");
    assertThat(order.path("status").asString()).isEqualTo("PENDING_JOB_ID");
    assertThat(job.path("attempts").asInt()).isZero();
    assertThat(
            Duration.between(
                Instant.parse(step(order, "book").path("finished_at").asString()),
                Instant.parse(job.path("next_attempt_at").asString())))
        .isBetween(Duration.ofSeconds(5), Duration.ofSeconds(8));
    cancel(id(answer));
  }

  @Test
  void a_paid_ride_that_is_cancelled_is_over_at_once_and_has_one_ticket() throws Exception {
    partner("{\"driver_rate\":0}");
    var answer = orders.place(ride("PENDING"), newKey());
    until(() -> orders.status(id(answer)).equals("ASSIGNED"));
    assertThat(pay(id(answer), "PAID").status()).isIn(200, 202);
    until(() -> orders.show(id(answer)).json().path("payment_status").asString().equals("PAID"));

    cancel(id(answer));
    until(() -> tickets(id(answer)).equals("[MANUAL_REFUND_REQUIRED]"));
    assertThat(orders.cancel(id(answer)).status()).isEqualTo(200);
    assertThat(tickets(id(answer))).isEqualTo("[MANUAL_REFUND_REQUIRED]");
    assertThat(
            Client.client()
                .get("/api/v1/orders?kind=ride&status=CANCELLED_BY_USER&limit=100")
                .body())
        .contains(id(answer));
  }

  @Test
  void a_cancelled_ride_that_waits_for_a_person_is_listed_as_what_it_is() throws Exception {
    partner("{\"driver_rate\":0}");
    var rides = List.of(placed("UNPAID"), placed("PAID"));
    for (var ride : rides) until(() -> orders.status(ride).equals("ASSIGNED"));
    partner("{\"down\":true}");
    for (var ride : rides) cancel(ride);
    for (var ride : rides) {
      until(() -> tickets(ride).contains("COMPENSATION_FAILED"));
      isListedAsWhatItIs(ride);
    }
  }

  private String placed(String payment) {
    return id(orders.place(ride(payment), newKey()));
  }

  private void isListedAsWhatItIs(String ride) {
    var order = orders.show(ride).json();
    assertThat(order.path("status").asString()).isEqualTo("CANCELLED_BY_USER");
    for (var query : List.of("kind=ride", "status=CANCELLED_BY_USER", "needs_attention=false")) {
      var line = listed(query, ride);
      for (var field : List.of("status", "needs_attention", "reason")) {
        assertThat(line.path(field)).as(query).isEqualTo(order.path(field));
      }
    }
    assertThat(listed("needs_attention=true", ride).isMissingNode()).isTrue();
    var stuck = Client.admin().get("/api/v1/admin/sagas?stuck=true&limit=100").json();
    assertThat(stuck.path("items").valueStream().map(it -> it.path("id").asString()))
        .contains(ride);
  }

  private static JsonNode listed(String query, String order) {
    var page = Client.client().get(Orders.PATH + "?limit=100&" + query).json().path("items");
    return page.valueStream()
        .filter(it -> it.path("order_id").asString().equals(order))
        .findFirst()
        .orElse(page.path("none"));
  }

  @Test
  void a_payment_after_the_end_opens_a_ticket() throws Exception {
    partner("{\"driver_rate\":0}");
    var answer = orders.place(ride("UNPAID"), newKey());
    until(() -> orders.status(id(answer)).equals("ASSIGNED"));
    cancel(id(answer));
    assertThat(tickets(id(answer))).isEqualTo("[]");
    assertThat(pay(id(answer), "SETTLEMENT").status()).isIn(200, 202);
    until(() -> tickets(id(answer)).equals("[MANUAL_REFUND_REQUIRED]"));
    assertThat(orders.status(id(answer))).isEqualTo("CANCELLED_BY_USER");
  }

  @Test
  void a_ride_that_has_arrived_cannot_be_cancelled() throws Exception {
    var answer = orders.place(ride("PAID"), newKey());
    until(() -> orders.status(id(answer)).equals("COMPLETED"));
    var refused = orders.cancel(id(answer));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("order_not_cancellable");
  }

  @Test
  void a_repeated_key_gets_the_same_ride() {
    var key = newKey();
    var first = orders.place(ride("PAID"), key);
    var second = orders.place(ride("PAID"), key);
    assertThat(id(second)).isEqualTo(id(first));
    assertThat(second.header("Idempotency-Replayed")).contains("true");
    assertThat(orders.place(ride("UNPAID"), key).status()).isEqualTo(422);
  }

  @Test
  void only_a_ride_is_paid_from_outside() {
    var answer = orders.place(Orders.checkout("pm_ok", "SKU-1", 1), newKey());
    var refused = pay(id(answer), "PAID");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("not_a_ride");
    assertThat(pay("ord_00000000000000000000000000", "PAID").status()).isEqualTo(404);
  }

  private static JsonNode step(JsonNode order, String name) {
    return order
        .path("steps")
        .valueStream()
        .filter(it -> it.path("name").asString().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    "'\"latitude\":-6.2088', '\"latitude\":-91', location_invalid",
    "'\"longitude\":106.6559', '\"longitude\":180.5', location_invalid",
    "'\"status\":\"PAID\"', '\"status\":\"paid\"', payment_status_invalid",
    "'\"service_type\":\"RIDE\"', '\"service_type\":\"ride!\"', service_type_invalid",
    "'\"currency\":\"IDR\"', '\"currency\":\"Rp\"', currency_invalid",
    "'\"amount\":150000', '\"amount\":-1', amount_invalid",
    "'\"channel\":\"MYBB\"', '\"chanel\":\"MYBB\"', unknown_field"
  })
  void what_is_wrong_is_told(String right, String wrong, String code) {
    var answer = orders.place(ride("PAID").replace(right, wrong), newKey());
    assertThat(answer.status()).isBetween(400, 422);
    assertThat(answer.body()).contains(code);
  }

  @Test
  void a_customer_cannot_say_that_somebody_else_took_the_money() {
    var answer = orders.place(Orders.checkout("outside", "SKU-1", 1), newKey());
    assertThat(answer.body()).contains("payment_method_invalid");
  }
}
