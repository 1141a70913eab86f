package dev.tuntas.bench.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Customers who look at their orders, one after the other.
final class Looks implements Requests {

  private final URI server;
  private final String clientKey;
  private final List<String> orders;
  private final AtomicInteger next = new AtomicInteger();

  Looks(URI server, String clientKey, List<String> orders) {
    this.server = server;
    this.clientKey = clientKey;
    this.orders = List.copyOf(orders);
  }

  @Override
  public URI server() {
    return server;
  }

  @Override
  public byte[] next() {
    var order = orders.get(Math.floorMod(next.getAndIncrement(), orders.size()));
    return """
    GET /api/v1/orders/%s HTTP/1.1\r
    Host: %s\r
    Authorization: Bearer %s\r
    \r
    """
        .formatted(order, server.getAuthority(), clientKey)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
