package dev.tuntas.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// What one turn of a system gave. Times are milliseconds; a figure that does not exist is NaN.
record Sample(
    double perSecond,
    double p50,
    double p99,
    double cpuMicros,
    double commitsPerSaga,
    double rowsPerSaga) {

  /// A system that only has a rate.
  static Sample ofRate(double perSecond) {
    return new Sample(perSecond, Double.NaN, Double.NaN, Double.NaN, 1, 1);
  }

  /// The median of each figure.
  static Sample median(List<Sample> samples) {
    return new Sample(
        median(samples, Sample::perSecond),
        median(samples, Sample::p50),
        median(samples, Sample::p99),
        median(samples, Sample::cpuMicros),
        median(samples, Sample::commitsPerSaga),
        median(samples, Sample::rowsPerSaga));
  }

  private static double median(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    return median(samples.stream().mapToDouble(figure).toArray());
  }

  static double median(double... values) {
    var sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
