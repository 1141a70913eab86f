package dev.tuntas.server.orders;

import dev.tuntas.orders.OrderBook;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Forgets, every minute or so, keys whose time is over and orders that ended long ago.
public final class OrderRounds implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(OrderRounds.class);
  private static final Duration EVERY = Duration.ofMinutes(1);
  private static final int BATCH = 500;

  /// How long things are kept: keys after their first use and the end of their order, orders after
  /// their end.
  public record Retention(Duration keys, Duration orders) {}

  private final OrderBook book;
  private final InstantSource clock;
  private final Retention retention;
  private final Thread thread;

  public OrderRounds(OrderBook book, InstantSource clock, Retention retention) {
    this.book = book;
    this.clock = clock;
    this.retention = retention;
    this.thread = Thread.ofVirtual().name("order-rounds").start(this::run);
  }

  private void run() {
    try {
      while (true) {
        if (!hasMore()) Thread.sleep(EVERY);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean hasMore() {
    try {
      var now = clock.instant();
      int keys = book.forgetKeys(now.minus(retention.keys), BATCH);
      int orders = book.forgetOrders(now.minus(retention.orders), BATCH);
      return keys == BATCH || orders == BATCH;
    } catch (RuntimeException e) {
      log.warn("Old keys and orders could not be forgotten; they will be at the next round", e);
      return false;
    }
  }

  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
  }
}
