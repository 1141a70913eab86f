package dev.tuntas.orders;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// The mean of what was added lately. It remembers a sum for each part of that time, and so needs
/// the same little room whatever is added.
final class RecentMean {

  private static final int PARTS = 30;

  private final InstantSource clock;
  private final long part;
  private final long[] number = new long[PARTS];
  private final long[] count = new long[PARTS];
  private final double[] sum = new double[PARTS];

  RecentMean(Duration lately, InstantSource clock) {
    this.part = lately.toMillis() / PARTS;
    this.clock = clock;
  }

  synchronized void add(double value) {
    long now = part(clock.instant());
    int at = (int) (now % PARTS);
    if (number[at] != now) {
      number[at] = now;
      count[at] = 0;
      sum[at] = 0;
    }
    count[at]++;
    sum[at] += value;
  }

  /// Zero if nothing was added lately.
  synchronized double get() {
    long now = part(clock.instant());
    long counted = 0;
    double total = 0;
    for (int i = 0; i < PARTS; i++) {
      if (number[i] <= now - PARTS) continue;
      counted += count[i];
      total += sum[i];
    }
    return counted == 0 ? 0 : total / counted;
  }

  private long part(Instant time) {
    return time.toEpochMilli() / part;
  }
}
