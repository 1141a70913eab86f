package dev.tuntas.server.watch;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Lets the watchdog look, on a thread that depends on no other.
public final class WatchdogLoop implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(WatchdogLoop.class);
  private static final Duration EVERY = Duration.ofMillis(500);

  private final Watchdog dog;
  private final Runnable freshStart;
  private final Thread thread;

  /// @param freshStart ends this process, so that whoever watches over it starts another
  public WatchdogLoop(Watchdog dog, Runnable freshStart) {
    this.dog = dog;
    this.freshStart = freshStart;
    this.thread = Thread.ofPlatform().daemon().name("tuntas-watchdog").start(this::goOn);
  }

  private void goOn() {
    try {
      while (!wantsRestart()) Thread.sleep(EVERY);
    } catch (InterruptedException _) {
      return;
    }
    log.error(
        "The database can be written to by others, but not by this process: it ends, to be started"
            + " anew. What it was doing is safe in the database.");
    freshStart.run();
  }

  private boolean wantsRestart() {
    try {
      return dog.look();
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
      log.warn("The watchdog could not look", e);
      return false;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
