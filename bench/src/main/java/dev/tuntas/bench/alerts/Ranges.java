package dev.tuntas.bench.alerts;

import dev.tuntas.bench.alerts.Samples.Sample;
import java.util.List;

/// What a counter did within a window of time.
final class Ranges {

  /// Samples that are further than this from the window's end, in their own pauses, are not
  /// stretched up to it.
  private static final double NEAR = 1.1;

  private Ranges() {}

  static double rate(List<Sample> window, double from, double to) {
    return stretched(window, from, to, to - from);
  }

  /// How much it grew, stretched to the ends of the window as Prometheus does it; a fall is a
  /// restart from 0.
  static double increase(List<Sample> window, double from, double to) {
    return stretched(window, from, to, 1);
  }

  /// Divides in the order in which Prometheus does, so that the last digit is the same.
  private static double stretched(List<Sample> window, double from, double to, double seconds) {
    if (window.size() < 2) return Double.NaN;
    var first = window.getFirst();
    var last = window.getLast();
    double grown = last.value() - first.value();
    for (int i = 1; i < window.size(); i++) {
      double before = window.get(i - 1).value();
      if (window.get(i).value() < before) grown += before;
    }
    double sampled = last.time() - first.time();
    double pause = sampled / (window.size() - 1);
    double toStart = first.time() - from;
    double toEnd = to - last.time();
    if (toStart >= pause * NEAR) toStart = pause / 2;
    if (grown > 0 && first.value() >= 0) {
      // A counter is never below zero: it cannot have grown before it was there.
      toStart = Math.min(toStart, sampled * (first.value() / grown));
    }
    if (toEnd >= pause * NEAR) toEnd = pause / 2;
    return grown * ((sampled + toStart + toEnd) / sampled / seconds);
  }

  static double highest(List<Sample> window, double from, double to) {
    return window.stream().mapToDouble(Sample::value).max().orElse(Double.NaN);
  }
}
