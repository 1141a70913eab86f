package dev.tuntas.server.orders;

import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/// Orders as a client's program would place them.
public final class Orders {

  public static final String PATH = "/api/v1/orders";

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(10);

  private final Client client;

  public Orders(Client client) {
    this.client = client;
  }

  static Orders ofClient() {
    return new Orders(Client.client());
  }

  public static String newKey() {
    return UUID.randomUUID().toString();
  }

  public static String checkout(String method, String sku, int quantity) {
    return """
    {"kind":"checkout","customer_id":"cus-1","payment_method":"%s","cart_id":"cart-9",
     "lines":[{"sku":"%s","quantity":%d}]}\
    """
        .formatted(method, sku, quantity);
  }

  public static String booking(String method, int inDays, int nights) {
    var checkIn = LocalDate.now(ZoneOffset.UTC).plusDays(inDays);
    return """
    {"kind":"booking","customer_id":"cus-1","payment_method":"%s","room_id":"ROOM-DLX",
     "rooms":1,"check_in":"%s","check_out":"%s"}\
    """
        .formatted(method, checkIn, checkIn.plusDays(nights));
  }

  public Answer place(String body, String key, String... headers) {
    var all = new ArrayList<String>();
    all.add("Idempotency-Key");
    all.add(key);
    all.addAll(java.util.List.of(headers));
    return client.post(PATH, body, all.toArray(String[]::new));
  }

  public Answer placeAndWait(String body) {
    return place(body, newKey(), "Prefer", "wait=20");
  }

  public Answer show(String orderId, String... headers) {
    return client.get(PATH + "/" + orderId, headers);
  }

  public Answer cancel(String orderId) {
    return client.post(PATH + "/" + orderId + "/cancel", "");
  }

  public String status(String orderId) {
    return show(orderId).json().path("status").asString();
  }

  public static String id(Answer answer) {
    return answer.json().path("order_id").asString();
  }

  public static void until(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() - end > 0) throw new AssertionError("it did not come to that");
      LockSupport.parkNanos(LOOK_AGAIN.toNanos());
    }
  }
}
