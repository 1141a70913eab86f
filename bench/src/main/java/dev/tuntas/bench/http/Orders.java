package dev.tuntas.bench.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/// Orders to send: each with a key of its own.
final class Orders implements Requests {

  private static final int ITEMS = 20;

  private final URI server;
  private final String clientKey;
  private final LongFunction<String> body;
  private final String run = Long.toHexString(System.nanoTime());
  private final AtomicLong next = new AtomicLong();

  private Orders(URI server, String clientKey, LongFunction<String> body) {
    this.server = server;
    this.clientKey = clientKey;
    this.body = body;
  }

  static Orders checkouts(URI server, String clientKey) {
    return new Orders(server, clientKey, Orders::checkout);
  }

  /// None of them is paid for yet.
  static Orders rides(URI server, String clientKey) {
    return new Orders(server, clientKey, Orders::ride);
  }

  private static String checkout(long no) {
    return """
    {"kind":"checkout","customer_id":"cus-%d","payment_method":"pm_ok",\
    "lines":[{"sku":"SKU-%d","quantity":1}]}\
    """
        .formatted(no, 1 + no % ITEMS);
  }

  private static String ride(long no) {
    return """
    {"kind":"ride","customer_id":"USR-%d","service_type":"RIDE","channel":"MYBB",\
    "pickup_location":{"latitude":-6.2088,"longitude":106.8456},\
    "dropoff_location":{"latitude":-6.1256,"longitude":106.6559},\
    "payment":{"status":"PENDING","amount":150000,"currency":"IDR"}}\
    """
        .formatted(no);
  }

  @Override
  public URI server() {
    return server;
  }

  @Override
  public byte[] next() {
    long no = next.incrementAndGet();
    var order = body.apply(no);
    return """
    POST /api/v1/orders HTTP/1.1\r
    Host: %s\r
    Authorization: Bearer %s\r
    Idempotency-Key: bench-%s-%d\r
    Content-Type: application/json\r
    Content-Length: %d\r
    \r
    %s\
    """
        .formatted(server.getAuthority(), clientKey, run, no, order.length(), order)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
