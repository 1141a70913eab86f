package dev.tuntas.testkit.simulation;

import java.util.random.RandomGenerator;

/// How fast a simulated process turns, in milliseconds.
///
/// @param running how many sagas a process runs at once
/// @param publishAttempts how often a notice is tried before it is a dead letter
/// @param keepEnded how long ended sagas are kept
/// @param upgrade whether the first process lacks the definition while faults last
/// @param front whether there is one more process, which accepts sagas and runs none
record Pace(
    int claimEvery,
    int relayEvery,
    int commitTakes,
    int running,
    int publishAttempts,
    long keepEnded,
    boolean upgrade,
    boolean front) {

  private static final long LONG = 30 * 86_400_000L;

  /// More than there ever are. (Permits for as many are taken with every look.)
  private static final int PLENTY = 100;

  static Pace steady() {
    return new Pace(500, 500, 5, PLENTY, 10, LONG, false, false);
  }

  static Pace drawn(RandomGenerator random) {
    boolean slow = random.nextInt(4) == 0;
    return new Pace(
        100 + random.nextInt(900),
        200 + random.nextInt(800),
        1 + random.nextInt(slow ? 1_000 : 40),
        random.nextInt(4) == 0 ? 1 + random.nextInt(10) : PLENTY,
        2 + random.nextInt(8),
        random.nextInt(4) == 0 ? 40_000 + random.nextInt(260_000) : LONG,
        random.nextInt(4) == 0,
        random.nextInt(3) == 0);
  }
}
