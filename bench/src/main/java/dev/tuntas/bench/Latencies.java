package dev.tuntas.bench;

import java.util.Arrays;

/// How long things took.
public final class Latencies {

  private long[] nanos = new long[1 << 12];
  private int count;

  public void add(long took) {
    if (count == nanos.length) nanos = Arrays.copyOf(nanos, count * 2);
    nanos[count++] = took;
  }

  public int count() {
    return count;
  }

  /// The time within which this share of all were done.
  public double millis(double share) {
    if (count == 0) return Double.NaN;
    var sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    int rank = (int) Math.ceil(share * count);
    return sorted[Math.max(rank, 1) - 1] / 1e6;
  }
}
