package dev.tuntas.simulator;

import java.time.Duration;

/// Lets time pass.
@FunctionalInterface
public interface Pause {

  void of(Duration time);

  /// Blocks the thread. An interrupt ends it early.
  static Pause blocking() {
    return time -> {
      try {
        Thread.sleep(time);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    };
  }
}
