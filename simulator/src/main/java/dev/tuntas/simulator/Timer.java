package dev.tuntas.simulator;

import java.time.Duration;

/// Does something later: on a thread, or in virtual time.
@FunctionalInterface
public interface Timer {

  void after(Duration time, Runnable task);
}
