package dev.tuntas.saga;

import java.time.Duration;

/// How often, and how far apart. Intervals double (or grow by `multiplier`) up to `intervalMax`.
/// Each wait lies anywhere between `least` and `most` times its interval, so that those who failed
/// together do not come back together; the growth takes the interval itself. No attempt begins
/// later than `elapsedMax` after the first one failed.
public record RetryPolicy(
    int attemptsMax,
    Duration initial,
    double multiplier,
    Duration intervalMax,
    double least,
    double most,
    Duration elapsedMax) {

  private static final Duration DAY = Duration.ofHours(24);

  public RetryPolicy {
    if (attemptsMax < 1) throw new IllegalArgumentException("at least one attempt is needed");
    if (initial.isNegative() || intervalMax.compareTo(initial) < 0) {
      throw new IllegalArgumentException("intervals must grow from " + initial + " upwards");
    }
    if (!(multiplier >= 1)) throw new IllegalArgumentException("multiplier must be at least 1");
    if (!(least >= 0 && least <= most && most <= 2)) {
      throw new IllegalArgumentException("jitter must be between 0 and 1");
    }
    if (elapsedMax.isNegative()) throw new IllegalArgumentException("elapsedMax is negative");
  }

  /// 2 s, doubling to at most 60 s, with full jitter, for up to a day: forward steps and recovery.
  public static RetryPolicy patient() {
    return new RetryPolicy(
        Integer.MAX_VALUE, Duration.ofSeconds(2), 2, Duration.ofSeconds(60), 0, 1, DAY);
  }

  /// 3 attempts, 1 s doubling to at most 30 s: compensation. With so few attempts, waits of nearly
  /// nothing would waste them.
  public static RetryPolicy compensation() {
    return new RetryPolicy(3, Duration.ofSeconds(1), 2, Duration.ofSeconds(30), 1, 1, DAY)
        .jitter(0.3);
  }

  /// One attempt only.
  public static RetryPolicy once() {
    return patient().attempts(1);
  }

  public RetryPolicy attempts(int max) {
    return new RetryPolicy(max, initial, multiplier, intervalMax, least, most, elapsedMax);
  }

  public RetryPolicy intervals(Duration first, Duration atMost) {
    return new RetryPolicy(attemptsMax, first, multiplier, atMost, least, most, elapsedMax);
  }

  public RetryPolicy multiplier(double factor) {
    return new RetryPolicy(attemptsMax, initial, factor, intervalMax, least, most, elapsedMax);
  }

  /// Each wait is its interval, plus or minus up to this share of it.
  public RetryPolicy jitter(double share) {
    return spread(1 - share, 1 + share);
  }

  /// Each wait lies anywhere between nothing and its interval.
  public RetryPolicy fullJitter() {
    return spread(0, 1);
  }

  private RetryPolicy spread(double from, double to) {
    return new RetryPolicy(attemptsMax, initial, multiplier, intervalMax, from, to, elapsedMax);
  }

  public RetryPolicy within(Duration total) {
    return new RetryPolicy(attemptsMax, initial, multiplier, intervalMax, least, most, total);
  }

  public boolean canRepeat() {
    return attemptsMax > 1;
  }

  /// The wait after attempt `n` (the first is 1). `salt` decides the jitter: the same salt always
  /// gives the same wait, so that no random source is needed.
  public Duration after(int n, long salt) {
    double growth = Math.min(Math.pow(multiplier, n - 1.0), Double.MAX_VALUE); // 0 x infinity
    double capped = Math.min(initial.toMillis() * growth, (double) intervalMax.toMillis());
    double share = least + (most - least) * unit(salt * 31 + n);
    return Duration.ofMillis(Math.round(capped * share));
  }

  /// Scatters bits well enough that neighbouring salts give unrelated values in [0, 1).
  private static double unit(long salt) {
    long z = salt + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return ((z ^ (z >>> 31)) >>> 11) * 0x1.0p-53;
  }
}
