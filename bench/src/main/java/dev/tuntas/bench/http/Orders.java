package dev.tuntas.bench.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/// Orders to send: each with a key of its own.
final class Orders {

  private static final int ITEMS = 20;

  private final URI server;
  private final String clientKey;
  private final String run = Long.toHexString(System.nanoTime());
  private final AtomicLong next = new AtomicLong();

  Orders(URI server, String clientKey) {
    this.server = server;
    this.clientKey = clientKey;
  }

  URI server() {
    return server;
  }

  byte[] next() {
    long no = next.incrementAndGet();
    var body =
        """
        {"kind":"checkout","customer_id":"cus-%d","payment_method":"pm_ok",\
        "lines":[{"sku":"SKU-%d","quantity":1}]}\
        """
            .formatted(no, 1 + no % ITEMS);
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
        .formatted(server.getAuthority(), clientKey, run, no, body.length(), body)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
