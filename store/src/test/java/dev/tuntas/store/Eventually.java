package dev.tuntas.store;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/// Waits for what another thread or server is about to do.
final class Eventually {

  private static final Duration LONGEST = Duration.ofSeconds(30);

  private Eventually() {}

  static void until(String what, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + LONGEST.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > end) throw new AssertionError("waited in vain: " + what);
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }
}
