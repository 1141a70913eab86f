package dev.tuntas.saga;

import java.time.Duration;

/// How often, and how far apart. Intervals double (or grow by `multiplier`) up to `intervalMax`;
/// jitter spreads each by plus or minus that share, and the growth takes the unjittered value. No
/// attempt begins later than `elapsedMax` after the first one failed.
public record RetryPolicy(
    int attemptsMax,
    Duration initial,
    double multiplier,
    Duration intervalMax,
    double jitter,
    Duration elapsedMax) {

  private static final Duration DAY = Duration.ofHours(24);

  public RetryPolicy {
    if (attemptsMax < 1) throw new IllegalArgumentException("at least one attempt is needed");
    if (initial.isNegative() || intervalMax.compareTo(initial) < 0) {
      throw new IllegalArgumentException("intervals must grow from " + initial + " upwards");
    }
    if (!(multiplier >= 1)) throw new IllegalArgumentException("multiplier must be at least 1");
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("jitter must be between 0 and 1");
    }
    if (elapsedMax.isNegative()) throw new IllegalArgumentException("elapsedMax is negative");
  }

  /// 2 s, doubling to at most 60 s, with jitter, for up to a day: forward steps and recovery.
  public static RetryPolicy patient() {
    return new RetryPolicy(
        Integer.MAX_VALUE, Duration.ofSeconds(2), 2, Duration.ofSeconds(60), 0.3, DAY);
  }

  /// 3 attempts, 1 s doubling to at most 30 s: compensation.
  public static RetryPolicy compensation() {
    return new RetryPolicy(3, Duration.ofSeconds(1), 2, Duration.ofSeconds(30), 0.3, DAY);
  }

  /// One attempt only.
  public static RetryPolicy once() {
    return patient().attempts(1);
  }

  public RetryPolicy attempts(int max) {
    return new RetryPolicy(max, initial, multiplier, intervalMax, jitter, elapsedMax);
  }

  public RetryPolicy intervals(Duration first, Duration atMost) {
    return new RetryPolicy(attemptsMax, first, multiplier, atMost, jitter, elapsedMax);
  }

  public RetryPolicy multiplier(double factor) {
    return new RetryPolicy(attemptsMax, initial, factor, intervalMax, jitter, elapsedMax);
  }

  public RetryPolicy jitter(double share) {
    return new RetryPolicy(attemptsMax, initial, multiplier, intervalMax, share, elapsedMax);
  }

  public RetryPolicy within(Duration total) {
    return new RetryPolicy(attemptsMax, initial, multiplier, intervalMax, jitter, total);
  }

  public boolean canRepeat() {
    return attemptsMax > 1;
  }

  /// The wait after attempt `n` (the first is 1). `salt` decides the jitter: the same salt always
  /// gives the same wait, so that no random source is needed.
  public Duration after(int n, long salt) {
    double growth = Math.min(Math.pow(multiplier, n - 1.0), Double.MAX_VALUE); // 0 x infinity
    double capped = Math.min(initial.toMillis() * growth, (double) intervalMax.toMillis());
    double spread = 1 + jitter * (2 * unit(salt * 31 + n) - 1);
    return Duration.ofMillis(Math.round(capped * spread));
  }

  /// Scatters bits well enough that neighbouring salts give unrelated values in [0, 1).
  private static double unit(long salt) {
    long z = salt + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return ((z ^ (z >>> 31)) >>> 11) * 0x1.0p-53;
  }
}
