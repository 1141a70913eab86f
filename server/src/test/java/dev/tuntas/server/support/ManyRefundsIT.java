package dev.tuntas.server.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import dev.tuntas.store.Tables;
import dev.tuntas.support.SupportDesk;
import dev.tuntas.testservers.TestPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// More people refund at once than there are connections: each needs one, and no more.
final class ManyRefundsIT {

  private static final int REFUNDS = 13;

  @TempDir Path data;

  @Test
  void thirteen_refunds_at_once_need_no_thirteen_connections() throws Exception {
    var server =
        TestServer.start(
            data,
            "--tuntas.database.url=" + TestPostgres.newDatabase(),
            "--tuntas.database.connections-max=6",
            "--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY,
            "--tuntas.credentials.admin-key=" + TestServer.ADMIN_KEY);
    try (var people = Executors.newVirtualThreadPerTaskExecutor()) {
      var admin = new Client(server, TestServer.ADMIN_KEY);
      var orders = IntStream.range(0, REFUNDS).mapToObj(n -> place(server, n)).toList();
      var clicks = orders.stream().map(id -> refundOf(admin, ticketOf(server, admin, id))).toList();
      for (var answer : people.invokeAll(clicks)) {
        assertThat(answer.get().status()).as(answer.get().body()).isLessThan(300);
      }
    } finally {
      server.stop();
    }
  }

  private static String place(TestServer server, int n) {
    var client = new Client(server, TestServer.CLIENT_KEY);
    var body =
        """
        {"kind":"checkout","customer_id":"c","payment_method":"pm_ok",
         "lines":[{"sku":"SKU-1","quantity":1}]}
        """;
    var id =
        client
            .post("/api/v1/orders", body, "Idempotency-Key", "k" + n)
            .json()
            .path("order_id")
            .asString();
    await(() -> client.get("/api/v1/orders/" + id).body().contains("\"CONFIRMED\""));
    return id;
  }

  private static String ticketOf(TestServer server, Client admin, String orderId) {
    server
        .context()
        .getBean("supportTables", Tables.class)
        .write(
            "open a ticket",
            session -> {
              server
                  .bean(SupportDesk.class)
                  .unexpected(session, orderId, "test-" + orderId, "a test", Instant.now());
              return true;
            });
    var tickets = admin.get("/api/v1/support/tickets?order_id=" + orderId).json().path("items");
    return tickets.get(0).path("id").asString();
  }

  private static Callable<Answer> refundOf(Client admin, String ticket) {
    var path = "/api/v1/support/tickets/" + ticket + "/refund";
    return () -> admin.post(path, "", "Idempotency-Key", "click-" + ticket);
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }
}
