package dev.tuntas.server.callbacks;

import dev.tuntas.server.rounds.Rounds;
import java.time.Duration;
import java.time.InstantSource;

/// Forgets, every minute or so, callbacks that came long ago.
public final class CallbackRounds implements AutoCloseable {

  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final Duration KEPT = Duration.ofDays(7);
  private static final int BATCH = 500;

  private final CallbackBook book;
  private final InstantSource clock;
  private final Rounds rounds;

  public CallbackRounds(CallbackBook book, InstantSource clock) {
    this.book = book;
    this.clock = clock;
    this.rounds = new Rounds("callback-rounds", EVERY, this::forget);
  }

  private boolean forget() {
    return book.forget(clock.instant().minus(KEPT), BATCH) == BATCH;
  }

  @Override
  public void close() throws InterruptedException {
    rounds.close();
  }
}
