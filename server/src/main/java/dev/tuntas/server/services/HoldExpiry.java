package dev.tuntas.server.services;

import dev.tuntas.inventory.StockRoom;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives back, every minute or so, what was held for too long.
final class HoldExpiry implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(HoldExpiry.class);
  private static final int BATCH = 500;

  private final StockRoom room;
  private final InstantSource clock;
  private final Duration interval;
  private final Thread thread;

  HoldExpiry(StockRoom room, InstantSource clock, Duration interval) {
    this.room = room;
    this.clock = clock;
    this.interval = interval;
    this.thread = Thread.ofVirtual().name("hold-expiry").start(this::run);
  }

  private void run() {
    try {
      while (true) {
        if (expire() < BATCH) Thread.sleep(interval);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private int expire() {
    try {
      return room.expire(clock.instant(), BATCH);
    } catch (RuntimeException e) {
      log.warn("Expired holds could not be given back; they will be at the next run", e);
      return 0;
    }
  }

  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }
}
