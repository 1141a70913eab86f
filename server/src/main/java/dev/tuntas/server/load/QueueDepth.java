package dev.tuntas.server.load;

import dev.tuntas.server.rounds.Rounds;
import dev.tuntas.store.Stores;
import java.time.Duration;
import java.time.InstantSource;

/// How many orders wait for a process that runs them, as it was a moment ago: the load of a process
/// that only accepts them. While it cannot be read it stays as it was.
public final class QueueDepth implements AutoCloseable {

  private static final Duration EVERY = Duration.ofMillis(500);

  private final Rounds rounds;
  private volatile int last;

  public QueueDepth(Stores stores, InstantSource clock) {
    rounds =
        new Rounds(
            "queue-depth",
            EVERY,
            () -> {
              last = (int) Math.min(stores.queueDepth(clock.instant()), Integer.MAX_VALUE);
              return false;
            });
  }

  public int last() {
    return last;
  }

  @Override
  public void close() throws InterruptedException {
    rounds.close();
  }
}
