package dev.tuntas.server.rounds;

import dev.tuntas.engine.Trouble;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does something again and again, on a thread of its own, until it is closed. A round that fails
/// is logged, once a minute at most, and the next one comes in its time, whatever it failed with.
public final class Rounds implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Rounds.class);

  /// One round. Returns whether there is more to do at once.
  @FunctionalInterface
  public interface Round {
    boolean run();
  }

  private final Trouble trouble;
  private final Duration every;
  private final Round round;
  private final Thread thread;

  public Rounds(String name, Duration every, Round round) {
    this.trouble = new Trouble(log, "A round of " + name);
    this.every = every;
    this.round = round;
    this.thread = Thread.ofVirtual().name(name).start(this::goOn);
  }

  private void goOn() {
    try {
      while (true) {
        if (!hasMore()) Thread.sleep(every);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean hasMore() {
    try {
      boolean more = round.run();
      trouble.worked();
      return more;
    } catch (RuntimeException | Error e) {
      trouble.failed(e);
      return false;
    }
  }

  /// Waits for a round under way.
  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }
}
