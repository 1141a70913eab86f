package dev.tuntas.bench.http;

import dev.tuntas.bench.BenchException;
import dev.tuntas.store.Snapshot;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/// The orders that were accepted and have not ended, counted in the server's own tables.
final class Backlog {

  private static final String OPEN = "select count(*) from orders_order where ended_at is null";
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
  static final int FEW = 50;

  private final Supplier<Optional<Snapshot>> tables;

  Backlog(Supplier<Optional<Snapshot>> tables) {
    this.tables = tables;
  }

  long count() {
    try (var now = tables.get().orElseThrow(() -> new BenchException("the server has no tables"))) {
      return now.read("count open orders", s -> s.first(OPEN, row -> row.getLong(1)).orElse(0L));
    }
  }

  /// Waits until hardly any are left. Returns how many.
  long drain(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    long left = count();
    while (left > FEW && System.nanoTime() < end) {
      Thread.sleep(LOOK_AGAIN);
      left = count();
    }
    return left;
  }
}
