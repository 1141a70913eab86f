package dev.tuntas.server.access;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// How often each client may call us, or we a partner: so many times a second, and a burst above
/// that. Zero a second means always.
public final class RateLimit {

  private static final class Bucket {
    double tokens;
    long nanos;
  }

  private final double perSecond;
  private final double burst;
  private final LongSupplier nanoTime;
  private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();

  public RateLimit(int perSecond, int burst, LongSupplier nanoTime) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.nanoTime = nanoTime;
  }

  /// So that no second holds more calls than a partner takes: a tenth of them is the burst.
  public static RateLimit ofPartner(int perSecond, LongSupplier nanoTime) {
    int burst = Math.max(1, perSecond / 10);
    return new RateLimit(Math.max(1, perSecond - burst), burst, nanoTime);
  }

  /// How long the client must wait; nothing if it need not, and then this call is counted.
  public Duration take(String client) {
    if (perSecond == 0) return Duration.ZERO;
    long now = nanoTime.getAsLong();
    var bucket = buckets.computeIfAbsent(client, _ -> full(now));
    synchronized (bucket) {
      double grown = bucket.tokens + (now - bucket.nanos) / 1e9 * perSecond;
      bucket.tokens = Math.min(burst, grown);
      bucket.nanos = now;
      if (bucket.tokens < 1) {
        return Duration.ofNanos((long) ((1 - bucket.tokens) / perSecond * 1e9) + 1);
      }
      bucket.tokens--;
      return Duration.ZERO;
    }
  }

  private Bucket full(long now) {
    var bucket = new Bucket();
    bucket.tokens = burst;
    bucket.nanos = now;
    return bucket;
  }
}
