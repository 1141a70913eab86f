package dev.tuntas.server.bus;

import static dev.tuntas.server.orders.Orders.checkout;
import static dev.tuntas.server.orders.Orders.id;
import static dev.tuntas.server.orders.Orders.newKey;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import dev.tuntas.server.orders.Orders;
import dev.tuntas.testservers.Loopback;
import dev.tuntas.testservers.TestQpid;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server whose broker stays away for longer than its commands may wait.
class BusExpiryIT {

  @TempDir Path folder;

  @Test
  void orders_fail_while_the_broker_is_away_and_nothing_is_held_afterwards() throws Exception {
    int port = Loopback.freePort();
    var broker = TestQpid.start(folder, port);
    var server =
        TestServer.start(
            folder.resolve("data"),
            "--tuntas.rabbitmq.url=" + broker.url(),
            "--tuntas.inventory.driven-by=messages",
            "--tuntas.inventory.command-expiry=2s",
            "--tuntas.timeout-worker.interval=200ms",
            "--tuntas.checkout.order=reserve-first",
            "--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY,
            "--tuntas.credentials.admin-key=" + TestServer.ADMIN_KEY);
    try {
      var orders = new Orders(new Client(server, TestServer.CLIENT_KEY));
      var admin = new Client(server, TestServer.ADMIN_KEY);
      broker.close();
      var late = id(orders.place(checkout("pm_ok", "SKU-1", 1), newKey()));
      until(() -> orders.status(late).equals("FAILED"));
      // ORDER_CREATED; the order itself may have been quicker to give up its RESERVE
      until(() -> metric(admin, "timeout_worker_expired_events") >= 1);

      broker = TestQpid.start(folder, port);
      until(() -> metric(admin, "bus_outbox_waiting") == 0);
      assertThat(metric(admin, "dead_letters{queue=\"bus\"")).isZero();
    } finally {
      server.stop();
      broker.close();
    }
  }

  private static double metric(Client admin, String name) {
    return admin
        .get("/actuator/prometheus")
        .body()
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }
}
