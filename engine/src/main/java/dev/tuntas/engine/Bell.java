package dev.tuntas.engine;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Wakes one that waits for work. Rings that nobody waits for are remembered as one.
final class Bell {

  private final Semaphore rung = new Semaphore(0);

  void ring() {
    if (rung.availablePermits() == 0) rung.release();
  }

  /// Waits for a ring, at most so long.
  void await(Duration atMost) throws InterruptedException {
    if (rung.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) rung.drainPermits();
  }
}
