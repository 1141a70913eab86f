package dev.tuntas.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import dev.tuntas.server.orders.Orders;
import java.nio.file.Path;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Somebody else keeps the database of the orders locked, so that nothing can be written.
final class StandstillTest {

  private static final String READY = "/actuator/health/readiness";
  private static final String ORDER =
      """
      {"kind":"checkout","customer_id":"cus-1","payment_method":"pm_ok",
       "lines":[{"sku":"SKU-1","quantity":1}]}
      """;

  @TempDir Path data;

  @Test
  void a_process_that_cannot_write_says_so_refuses_orders_and_recovers_by_itself()
      throws Exception {
    var server = TestServer.start(data, "--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY);
    try {
      var client = new Client(server, TestServer.CLIENT_KEY);
      var orders = new Orders(client);
      assertThat(client.get(READY).status()).isEqualTo(200);
      var file = data.resolve("orders").resolve("tuntas.db");
      try (var other = DriverManager.getConnection("jdbc:sqlite:" + file);
          var statement = other.createStatement()) {
        statement.execute("begin immediate");
        Orders.until(() -> client.get(READY).status() == 503);
        var dog = server.bean(Watchdog.class);
        Orders.until(dog::refuses);
        var refused = client.post(Orders.PATH, ORDER, "Idempotency-Key", "standstill-1");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.json().get("code").stringValue()).isEqualTo("store_unavailable");
        assertThat(refused.header("Retry-After")).isPresent();
        assertThat(client.get("/actuator/health/liveness").status()).isEqualTo(200);
        statement.execute("rollback");
      }
      Orders.until(() -> client.get(READY).status() == 200);
      Orders.until(
          () -> client.post(Orders.PATH, ORDER, "Idempotency-Key", "standstill-1").status() < 300);
    } finally {
      server.stop();
    }
  }
}
