package dev.tuntas.server.services;

import dev.tuntas.inventory.StockRoom;
import dev.tuntas.server.rounds.Rounds;
import java.time.Duration;
import java.time.InstantSource;

/// Gives back, every minute or so, what was held for too long.
final class HoldExpiry implements AutoCloseable {

  private static final int BATCH = 500;

  private final StockRoom room;
  private final InstantSource clock;
  private final Rounds rounds;

  HoldExpiry(StockRoom room, InstantSource clock, Duration interval) {
    this.room = room;
    this.clock = clock;
    this.rounds = new Rounds("hold-expiry", interval, this::expire);
  }

  private boolean expire() {
    return room.expire(clock.instant(), BATCH) == BATCH;
  }

  @Override
  public void close() throws InterruptedException {
    rounds.close();
  }
}
