package dev.tuntas.adapters.redis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for a condition.
final class Eventually {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long BETWEEN = Duration.ofMillis(2).toNanos();

  private Eventually() {}

  static void holds(BooleanSupplier condition, String what) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) throw new AssertionError("it did not come to that: " + what);
      LockSupport.parkNanos(BETWEEN);
    }
  }
}
