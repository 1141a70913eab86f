package dev.tuntas.server.support;

import dev.tuntas.engine.Trouble;
import dev.tuntas.support.AutomaticRefunds;
import dev.tuntas.support.Refunds;
import dev.tuntas.support.StuckOrders;
import dev.tuntas.support.SupportDesk;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the support desk does by itself, every few seconds: report orders that are stuck, refund
/// rides if it may, start refunds that were left behind, mark tickets as overdue, tell findings,
/// and open tickets again whose finding was not heeded.
public final class DeskRounds implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(DeskRounds.class);

  private final Trouble trouble = new Trouble(log, "A round of the desk");
  private static final int BATCH = 100;

  private final SupportDesk desk;
  private final StuckOrders stuck;
  private final Refunds refunds;
  private final @Nullable AutomaticRefunds automatic;
  private final InstantSource clock;
  private final Duration interval;
  private final Thread thread;

  /// @param automatic null where people give back what was paid for rides
  public DeskRounds(
      SupportDesk desk,
      StuckOrders stuck,
      Refunds refunds,
      @Nullable AutomaticRefunds automatic,
      InstantSource clock,
      Duration interval) {
    this.desk = desk;
    this.stuck = stuck;
    this.refunds = refunds;
    this.automatic = automatic;
    this.clock = clock;
    this.interval = interval;
    this.thread = Thread.ofVirtual().name("desk-rounds").start(this::run);
  }

  private void run() {
    try {
      while (true) {
        round();
        Thread.sleep(interval);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void round() {
    try {
      stuck.report();
      if (automatic != null) automatic.begin(clock.instant(), BATCH);
      refunds.startRequested(BATCH);
      int overdue = desk.markOverdue(clock.instant());
      if (overdue > 0) log.warn("{} tickets are overdue", overdue);
      desk.tellFindings(clock.instant());
      desk.reopenUnheeded(clock.instant());
      trouble.worked();
    } catch (RuntimeException | Error e) {
      trouble.failed(e);
    }
  }

  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }
}
