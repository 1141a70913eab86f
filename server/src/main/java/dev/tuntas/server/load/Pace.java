package dev.tuntas.server.load;

import java.time.Duration;

/// Spreads what must not come too often: while there are few, nobody waits; when there are many,
/// each waits for its turn, but only so long.
///
/// It knows no clock: the caller measures.
public final class Pace {

  private final long everyNanos;
  private final long longestNanos;
  private long free = Long.MIN_VALUE;

  public Pace(int perSecond, Duration longest) {
    this.everyNanos = Duration.ofSeconds(1).toNanos() / perSecond;
    this.longestNanos = longest.toNanos();
  }

  /// How long one that came now has to wait.
  public synchronized Duration turn(long nowNanos) {
    if (free < nowNanos) free = nowNanos;
    long wait = free - nowNanos;
    if (wait > longestNanos) return Duration.ofNanos(longestNanos);
    free += everyNanos;
    return Duration.ofNanos(wait);
  }
}
