package dev.tuntas.adapters.bus;

import java.net.URI;
import java.time.Duration;

/// How to reach RabbitMQ, or another broker that speaks AMQP 0-9-1.
///
/// @param exchange the topic exchange that everything goes through
/// @param prefetch how many messages a subscription is handed at once
/// @param patience after so long a message counts as not confirmed
public record RabbitAccess(URI url, String exchange, int prefetch, Duration patience) {

  public RabbitAccess {
    if (exchange.isBlank() || exchange.length() > 255) {
      throw new IllegalArgumentException("the name of an exchange has 1 to 255 characters");
    }
    if (prefetch < 1) throw new IllegalArgumentException("at least one message at a time");
    if (patience.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("the broker is given at least a second to answer");
    }
  }

  /// Fifty messages, eight seconds.
  public static RabbitAccess of(URI url, String exchange) {
    return new RabbitAccess(url, exchange, 50, Duration.ofSeconds(8));
  }

  /// Without the password in the URL.
  @Override
  public String toString() {
    return "RabbitAccess[exchange=" + exchange + "]";
  }
}
