package dev.tuntas.orders;

/// Hears what is measured of rides. It is told on the engine's threads and must be quick.
@FunctionalInterface
public interface RideWatch {

  /// @param value how much a counter grows, what a histogram takes in, what a gauge becomes
  /// @param labels the values of the metric's labels, in their order
  void record(RideMetric metric, double value, String... labels);

  default void count(RideMetric counter, String... labels) {
    record(counter, 1, labels);
  }
}
