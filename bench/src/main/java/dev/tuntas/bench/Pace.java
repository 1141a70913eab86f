package dev.tuntas.bench;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// The moments of a steady pace, for a while. One that was missed is not waited for.
final class Pace {

  private final long apart;
  private final long count;
  private final long start = System.nanoTime();
  private long turn;

  Pace(int perSecond, Duration span) {
    apart = Duration.ofSeconds(1).toNanos() / perSecond;
    count = span.toNanos() / apart;
  }

  /// Waits for the next moment. Returns whether there was one.
  boolean next() {
    if (turn == count) return false;
    long at = start + turn++ * apart;
    for (long left = at - System.nanoTime(); left > 0; left = at - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    return true;
  }
}
