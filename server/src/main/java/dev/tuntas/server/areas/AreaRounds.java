package dev.tuntas.server.areas;

import dev.tuntas.areas.AreaHistory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Writes down, every minute, how full areas are, and forgets what is old.
public final class AreaRounds implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(AreaRounds.class);
  private static final Duration KEPT = Duration.ofDays(92);
  private static final Duration SLOTS_KEPT = Duration.ofDays(2);
  private static final int BATCH = 1_000;
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  private final AreaHistory history;
  private final RefusalCounts refusals;
  private final InstantSource clock;
  private final Thread thread;

  public AreaRounds(AreaHistory history, RefusalCounts refusals, InstantSource clock) {
    this.history = history;
    this.refusals = refusals;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name("area-rounds").start(this::run);
  }

  private void run() {
    try {
      while (true) {
        // A little after the minute is over, so that it is over on other machines, too.
        Thread.sleep(MINUTE - clock.millis() % MINUTE + 500);
        round();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void round() {
    var now = clock.instant();
    var refused = refusals.drain();
    try {
      history.record(now, refused);
    } catch (RuntimeException | Error e) {
      refusals.restore(refused);
      log.warn("The load of areas was not written down for this minute: {}", e.toString());
    }
    forget(now);
  }

  private void forget(Instant now) {
    try {
      while (history.forget(now.minus(KEPT), now.minus(SLOTS_KEPT), BATCH)) {
        // the next batch
      }
    } catch (RuntimeException | Error e) {
      log.warn("Old loads of areas could not be forgotten; they will be: {}", e.toString());
    }
  }

  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }
}
