package dev.tuntas.server.settings;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Redis as the fast path of idempotency; none without a URL.
public record RedisSettings(@Nullable URI url) {

  public RedisSettings {
    if (url != null) Limits.url("redis.url", url, List.of("redis", "rediss"));
  }
}
