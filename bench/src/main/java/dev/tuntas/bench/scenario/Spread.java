package dev.tuntas.bench.scenario;

import java.util.Arrays;

/// Times in milliseconds, kept one by one so that every percentile is exact.
final class Spread {

  private int[] values = new int[64];
  private int size;
  private boolean sorted;

  void add(long ms) {
    if (size == values.length) values = Arrays.copyOf(values, 2 * size);
    values[size++] = (int) Math.min(ms, Integer.MAX_VALUE);
    sorted = false;
  }

  int size() {
    return size;
  }

  /// The smallest time that so large a share does not exceed, in seconds; NaN if there is none.
  double seconds(double share) {
    if (size == 0) return Double.NaN;
    if (!sorted) Arrays.sort(values, 0, size);
    sorted = true;
    int at = (int) Math.ceil(share * size) - 1;
    return values[Math.clamp(at, 0, size - 1)] / 1_000.0;
  }

  /// How many are at most so long.
  int within(long ms) {
    int count = 0;
    for (int i = 0; i < size; i++) if (values[i] <= ms) count++;
    return count;
  }

  int[] all() {
    return Arrays.copyOf(values, size);
  }
}
