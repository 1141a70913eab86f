package dev.tuntas.testkit.simulation;

import java.util.random.RandomGenerator;

/// How fast a simulated process turns, in milliseconds.
record Pace(int claimEvery, int relayEvery, int commitTakes) {

  static Pace steady() {
    return new Pace(500, 500, 5);
  }

  static Pace drawn(RandomGenerator random) {
    return new Pace(100 + random.nextInt(900), 200 + random.nextInt(800), 1 + random.nextInt(40));
  }
}
