package dev.tuntas.server.orders;

import static dev.tuntas.server.orders.Orders.id;
import static dev.tuntas.server.orders.Orders.newKey;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What was paid for a ride that nobody drives goes back, seen from outside. A ride lives for one
/// second here.
class RideRefundsApiTest {

  private static final String CLIENT_KEY = "refunds-client-key-0123456789";
  private static final String ADMIN_KEY = "refunds-admin-key-0123456789";
  private static final String RIDE =
      """
      {"kind":"ride","customer_id":"USR-9","service_type":"RIDE",
       "pickup_location":{"latitude":-6.2088,"longitude":106.8456},
       "dropoff_location":{"latitude":-6.1256,"longitude":106.6559},
       "payment":{"status":"PAID","amount":150000,"currency":"IDR"}}\
      """;

  @TempDir static Path folder;

  private static TestServer start(String refund) {
    return TestServer.start(
        folder.resolve(refund),
        "--tuntas.credentials.client-key=" + CLIENT_KEY,
        "--tuntas.credentials.admin-key=" + ADMIN_KEY,
        "--tuntas.credentials.service-key=refunds-service-key-0123456789",
        "--tuntas.ride.max-elapsed=1s",
        "--tuntas.ride.refund=" + refund);
  }

  private static long entered(Client admin, String status) {
    return admin
        .get("/actuator/prometheus")
        .body()
        .lines()
        .filter(line -> line.startsWith("order_status_count{status=\"" + status + "\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void by_hand_through_the_ticket() throws Exception {
    var server = start("manual");
    try {
      var admin = new Client(server, ADMIN_KEY);
      var client = new Client(server, CLIENT_KEY);
      var orders = new Orders(client);
      var ride = id(orders.place(RIDE, newKey()));
      until(() -> orders.status(ride).equals("CANCELLED_BY_SYSTEM_AFTER_PAYMENT"));
      var tickets = "/api/v1/support/tickets";
      until(() -> !admin.get(tickets + "?order_id=" + ride).json().path("items").isEmpty());
      var ticket = admin.get(tickets + "?order_id=" + ride).json().at("/items/0/id").asString();

      var part = "{\"amount\":50000}";
      var refund = tickets + "/" + ticket + "/refund";
      assertThat(admin.post(refund, part, "Idempotency-Key", "a").status()).isEqualTo(202);
      until(() -> orders.status(ride).equals("REFUND_PENDING"));
      until(() -> orders.show(ride).json().at("/refunded/amount").asLong() == 50_000);
      var pending = orders.show(ride).json();
      assertThat(pending.at("/reason/code").asString()).isNotEmpty();
      until(() -> listed(client, "REFUND_PENDING").contains(ride));
      assertThat(listed(client, "CANCELLED_BY_SYSTEM_AFTER_PAYMENT")).doesNotContain(ride);
      assertThat(orders.cancel(ride).status()).as("it is over").isEqualTo(200);

      assertThat(admin.post(refund, "{}", "Idempotency-Key", "b").status()).isEqualTo(202);
      until(() -> orders.status(ride).equals("REFUNDED"));
      until(() -> listed(client, "REFUNDED").contains(ride));
      var over = orders.show(ride).json();
      assertThat(over.at("/refunded/amount").asLong()).isEqualTo(150_000);
      assertThat(over.path("message").asString()).contains("3-5 business days");
      assertThat(client.get(over.at("/links/events").asString()).body())
          .contains("REFUNDED", "event: end");
      assertThat(client.with("").get(over.at("/links/page").asString()).body()).contains("3-5");
      assertThat(entered(admin, "REFUND_PENDING")).isEqualTo(1);
      assertThat(entered(admin, "REFUNDED")).isEqualTo(1);
    } finally {
      server.stop();
    }
  }

  private static String listed(Client client, String status) {
    return client.get("/api/v1/orders?kind=ride&status=" + status).body();
  }

  @Test
  void by_itself_where_that_is_configured() throws Exception {
    var server = start("automatic");
    try {
      var admin = new Client(server, ADMIN_KEY);
      var orders = new Orders(new Client(server, CLIENT_KEY));
      var ride = id(orders.place(RIDE, newKey()));
      until(() -> orders.status(ride).equals("REFUNDED"));
      var ticket = admin.get("/api/v1/support/tickets?order_id=" + ride).json().at("/items/0");
      assertThat(ticket.path("status").asString()).isEqualTo("resolved");
      assertThat(admin.get("/api/v1/admin/audit?limit=100").body()).contains("ticket.refund");
      assertThat(admin.get("/sim/bank/ledger").body())
          .containsOnlyOnce("\"key\":\"refund-" + ride + "\"");
    } finally {
      server.stop();
    }
  }
}
