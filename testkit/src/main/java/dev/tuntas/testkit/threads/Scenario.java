package dev.tuntas.testkit.threads;

import java.util.random.RandomGenerator;

/// What is run under one schedule, again and again with other seeds. It runs as the first thread,
/// may start others, and closes what it opened. It has a public constructor without parameters, and
/// is new for each run. What it throws, or another thread does, is a finding.
@FunctionalInterface
public interface Scenario {

  /// @param random what differs from seed to seed besides the schedule
  void run(RandomGenerator random) throws Exception;
}
