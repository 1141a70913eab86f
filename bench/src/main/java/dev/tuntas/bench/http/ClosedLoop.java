package dev.tuntas.bench.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;

/// So many clients, each of which sends the next order when the last one was answered.
final class ClosedLoop {

  /// A client that is turned away comes again after a while, as it is told to.
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(1);

  private static final int SHED = 503;

  private ClosedLoop() {}

  static Tally run(Orders orders, int clients, Duration span) {
    var tally = new Tally();
    long end = System.nanoTime() + span.toNanos();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < clients; i++) {
        threads.submit(
            () -> {
              orderOnAndOn(orders, end, tally);
              return null;
            });
      }
    }
    return tally;
  }

  private static void orderOnAndOn(Orders orders, long end, Tally tally)
      throws InterruptedException {
    while (System.nanoTime() < end) {
      try (var wire = new Wire(orders.server())) {
        while (System.nanoTime() < end && !wire.isOver()) {
          long asked = System.nanoTime();
          int status = wire.ask(orders.next());
          tally.answered(status, System.nanoTime() - asked);
          if (status == SHED) Thread.sleep(AFTER_REFUSAL);
        }
      } catch (IOException _) {
        tally.broken();
      }
    }
  }
}
