package dev.tuntas.server.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/// Counts requests whose key was known, by who knew it.
public final class IdempotencyHits {

  private final Counter database;
  private final Counter redis;

  public IdempotencyHits(MeterRegistry registry) {
    database = layer("database", registry);
    redis = layer("redis", registry);
  }

  private static Counter layer(String name, MeterRegistry registry) {
    return Counter.builder("idempotency_hits_total")
        .description("Requests whose key was known")
        .tag("layer", name)
        .register(registry);
  }

  public void inDatabase() {
    database.increment();
  }

  /// The database confirmed it.
  public void inRedis() {
    redis.increment();
  }
}
