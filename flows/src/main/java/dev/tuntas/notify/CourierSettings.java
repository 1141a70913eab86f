package dev.tuntas.notify;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// How persistent a courier is, and how loud it may become.
///
/// @param attemptsMax after so many failures a delivery is a dead letter
/// @param firstWait the longest wait after the first failure; it doubles with each
/// @param waitMax the longest wait of all
/// @param lease how long an attempt may last before another process tries
/// @param batch how many deliveries are looked at together
/// @param alertsPerMinute alerts beyond these are sent together, as one message
/// @param keep how long it is remembered what was sent
public record CourierSettings(
    int attemptsMax,
    Duration firstWait,
    Duration waitMax,
    Duration lease,
    int batch,
    int alertsPerMinute,
    Duration keep) {

  private static final int DOUBLINGS_MAX = 30;

  public CourierSettings {
    if (attemptsMax < 1 || batch < 1) {
      throw new IllegalArgumentException("a courier makes at least one attempt at a time");
    }
    if (alertsPerMinute < 2) {
      throw new IllegalArgumentException("at least two alerts a minute must be allowed");
    }
    if (!firstWait.isPositive() || waitMax.compareTo(firstWait) < 0 || !lease.isPositive()) {
      throw new IllegalArgumentException("a courier's waits grow from more than nothing upwards");
    }
  }

  /// Twelve attempts over about an hour and a half, twenty alerts a minute.
  public static CourierSettings defaults() {
    return new CourierSettings(
        12,
        Duration.ofSeconds(2),
        Duration.ofMinutes(15),
        Duration.ofMinutes(2),
        100,
        20,
        Duration.ofDays(30));
  }

  /// Full jitter: anything up to the wait that the number of attempts has earned.
  Duration waitAfter(int attempts, RandomGenerator random) {
    long doubled = firstWait.toMillis() << Math.min(attempts - 1, DOUBLINGS_MAX);
    return Duration.ofMillis(random.nextLong(1 + Math.min(doubled, waitMax.toMillis())));
  }
}
