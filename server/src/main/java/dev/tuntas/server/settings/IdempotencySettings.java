package dev.tuntas.server.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How long a key of a client is remembered at least.
public record IdempotencySettings(@DefaultValue("24h") Duration ttl) {

  public IdempotencySettings {
    Limits.positive("idempotency.ttl", ttl);
  }
}
