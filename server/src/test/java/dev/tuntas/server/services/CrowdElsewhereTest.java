package dev.tuntas.server.services;

import static dev.tuntas.server.services.ServicesServer.CLIENT_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tuntas.server.orders.Orders;
import dev.tuntas.store.Stores;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many orders, and a payment service that takes its time.
class CrowdElsewhereTest {

  private static final int ORDERS = 12;
  private static final int AT_ONCE = 3;
  private static final String ORDER =
      """
      {"kind":"checkout","customer_id":"cus-1","payment_method":"pm_ok",
       "lines":[{"sku":"SKU-1","quantity":1}]}\
      """;

  private final HttpClient http = HttpClient.newHttpClient();
  private final CountDownLatch open = new CountDownLatch(1);
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final AtomicInteger charged = new AtomicInteger();

  @Test
  void who_waits_for_a_slow_service_waits_here_and_not_there(@TempDir Path data) throws Exception {
    var payment = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    payment.createContext("/", this::charge);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      payment.setExecutor(threads);
      payment.start();
      try (var orders =
          ServicesServer.withOrders(
              data,
              "--tuntas.partners.payment.url=http://127.0.0.1:" + payment.getAddress().getPort(),
              "--tuntas.partners.payment.concurrency=" + AT_ONCE)) {
        placeOn(orders);
      } finally {
        open.countDown();
        payment.stop(0);
      }
    }
  }

  private void placeOn(ServicesServer orders) throws Exception {
    var ids = new ArrayList<String>();
    for (int i = 0; i < ORDERS; i++) ids.add(place(orders.url(), i));
    var stores = orders.bean(Stores.class);
    Orders.until(
        () -> inside.get() == AT_ONCE && stores.queueDepth(Instant.now()) == ORDERS - AT_ONCE);

    open.countDown();
    for (var id : ids) {
      var path = Orders.PATH + "/" + id;
      Orders.until(
          () -> orders.get(path, CLIENT_KEY).json().path("status").asString().equals("CONFIRMED"));
    }
    assertThat(most).hasValue(AT_ONCE);
    assertThat(charged).hasValue(ORDERS);
  }

  private String place(URI server, int number) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(server.resolve(Orders.PATH))
            .header("Authorization", "Bearer " + CLIENT_KEY)
            .header("Idempotency-Key", "crowd-" + number)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(ORDER))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    return answer.body().replaceFirst("(?s).*\"order_id\":\"([^\"]+)\".*", "$1");
  }

  private void charge(HttpExchange call) throws IOException {
    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
    try {
      open.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    inside.decrementAndGet();
    var receipt =
        "{\"payment_transaction_id\":\"tx-%d\",\"status\":\"charged\"}"
            .formatted(charged.incrementAndGet());
    var body = receipt.getBytes(StandardCharsets.UTF_8);
    call.getResponseHeaders().add("Content-Type", "application/json");
    call.sendResponseHeaders(200, body.length);
    try (var out = call.getResponseBody()) {
      out.write(body);
    }
  }
}
