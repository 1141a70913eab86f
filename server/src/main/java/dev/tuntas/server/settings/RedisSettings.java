package dev.tuntas.server.settings;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Redis as a hint about keys, messages and who waits where; none without a URL.
///
/// @param timeout how long a request waits for it, at most
/// @param compareEvery how often the waiting sets are compared with the counts
public record RedisSettings(
    @Nullable URI url,
    @DefaultValue("50ms") Duration timeout,
    @DefaultValue("2s") Duration compareEvery) {

  public RedisSettings {
    if (url != null) Limits.url("redis.url", url, List.of("redis", "rediss"));
    Limits.positive("redis.timeout", timeout);
    Limits.positive("redis.compare-every", compareEvery);
  }

  /// An address may hold a password.
  @Override
  public String toString() {
    return "RedisSettings[" + (url == null ? "none" : "url") + ", " + timeout + "]";
  }
}
