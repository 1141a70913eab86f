package dev.tuntas.server.services;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import dev.tuntas.server.orders.Orders;
import java.nio.file.Path;
import java.sql.DriverManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Somebody else keeps the database of the inventory locked; that of the orders can be written.
final class LockedServiceTest {

  private static final String READY = "/actuator/health/readiness";

  @TempDir Path data;

  @Test
  void a_process_whose_service_cannot_write_is_not_ready_until_it_can() throws Exception {
    var server = TestServer.start(data, "--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY);
    try {
      var client = new Client(server, TestServer.CLIENT_KEY);
      Orders.until(() -> client.get(READY).status() == 200);
      var file = data.resolve("inventory").resolve("tuntas.db");
      try (var other = DriverManager.getConnection("jdbc:sqlite:" + file);
          var statement = other.createStatement()) {
        statement.execute("begin immediate");
        Orders.until(() -> client.get(READY).status() == 503);
        assertThat(client.get("/actuator/health/liveness").status()).isEqualTo(200);
        statement.execute("rollback");
      }
      Orders.until(() -> client.get(READY).status() == 200);
    } finally {
      server.stop();
    }
  }
}
