package dev.tuntas.server.orders;

import dev.tuntas.orders.OrderBook;
import dev.tuntas.server.rounds.Rounds;
import java.time.Duration;
import java.time.InstantSource;

/// Forgets, every minute or so, keys whose time is over and orders that ended long ago.
public final class OrderRounds implements AutoCloseable {

  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final int BATCH = 500;

  /// How long things are kept: keys after their first use and the end of their order, orders after
  /// their end.
  public record Retention(Duration keys, Duration orders) {}

  private final OrderBook book;
  private final InstantSource clock;
  private final Retention retention;
  private final Rounds rounds;

  public OrderRounds(OrderBook book, InstantSource clock, Retention retention) {
    this.book = book;
    this.clock = clock;
    this.retention = retention;
    this.rounds = new Rounds("order-rounds", EVERY, this::forget);
  }

  private boolean forget() {
    var now = clock.instant();
    int keys = book.forgetKeys(now.minus(retention.keys), BATCH);
    int orders = book.forgetOrders(now.minus(retention.orders), BATCH);
    return keys == BATCH || orders == BATCH;
  }

  @Override
  public void close() throws InterruptedException {
    rounds.close();
  }
}
