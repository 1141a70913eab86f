package dev.tuntas.bench.chaos;

/// Somebody who makes trouble for a while. Afterwards everything runs.
interface Trouble {

  /// @param until when it is over, in nanoseconds of this process
  void rage(long until) throws InterruptedException;
}
