package dev.tuntas.engine;

import java.time.Duration;

/// Runs something a little later, on another turn.
public interface Timers {
  void after(Duration wait, Runnable task);
}
