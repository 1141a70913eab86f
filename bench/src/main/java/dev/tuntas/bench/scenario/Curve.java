package dev.tuntas.bench.scenario;

import java.util.Arrays;

/// Numbers over time, one for every slice of it.
final class Curve {

  private final long sliceMs;
  private double[] values = new double[1_024];
  private int size;

  Curve(long sliceMs) {
    this.sliceMs = sliceMs;
  }

  void add(long atMs, double value) {
    values[slice(atMs)] += value;
  }

  void set(long atMs, double value) {
    values[slice(atMs)] = value;
  }

  private int slice(long atMs) {
    int slice = (int) (atMs / sliceMs);
    if (slice >= values.length) values = Arrays.copyOf(values, Math.max(slice + 1, 2 * size));
    size = Math.max(size, slice + 1);
    return slice;
  }

  int size() {
    return size;
  }

  double at(int slice) {
    return slice < size ? values[slice] : 0;
  }

  double secondsOf(int slice) {
    return slice * sliceMs / 1_000.0;
  }

  double highest() {
    return Arrays.stream(values, 0, size).max().orElse(0);
  }
}
