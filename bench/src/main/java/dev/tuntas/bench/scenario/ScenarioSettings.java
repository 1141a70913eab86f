package dev.tuntas.bench.scenario;

import static dev.tuntas.bench.scenario.Scenario.NORMAL;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/// What is to be run.
///
/// @param rate new orders a second
/// @param minutes how long they come
/// @param rateLimit how many calls a second the partner takes
record ScenarioSettings(
    Scenario scenario, double rate, Duration minutes, long seed, int rateLimit) {

  /// The one clock of every ride.
  static final Duration LIFE = Duration.ofMinutes(30);

  /// What comes before, in so much time, so that a server has seen some of it.
  List<ScenarioSettings> warmingUp(Duration time) {
    if (time.isZero()) return List.of();
    return IntStream.rangeClosed(1, 3)
        .mapToObj(i -> new ScenarioSettings(NORMAL, rate * i / 3, time.dividedBy(3), -i, rateLimit))
        .toList();
  }

  /// How many orders may wait in one area: far more than wait there on a good day.
  int threshold() {
    return (int) Math.max(20, Math.round(rate * (scenario.refuses() ? 4 : 10)));
  }
}
