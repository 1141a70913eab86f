package dev.tuntas.bench.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.function.Predicate;

/// So many clients, each of which sends the next order when the last one was answered.
final class ClosedLoop {

  /// A client that is turned away comes again after a while, as it is told to.
  private static final Duration AFTER_REFUSAL = Duration.ofSeconds(1);

  private static final int SHED = 503;

  private ClosedLoop() {}

  static Tally run(Requests orders, int clients, Duration span) {
    long end = System.nanoTime() + span.toNanos();
    return run(orders, clients, _ -> System.nanoTime() < end);
  }

  /// Until about so many were accepted, but no longer than that.
  static Tally fill(Requests orders, int clients, long accepted, Duration atMost) {
    long end = System.nanoTime() + atMost.toNanos();
    return run(orders, clients, tally -> tally.accepted() < accepted && System.nanoTime() < end);
  }

  private static Tally run(Requests orders, int clients, Predicate<Tally> more) {
    var tally = new Tally();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < clients; i++) {
        threads.submit(
            () -> {
              orderOnAndOn(orders, more, tally);
              return null;
            });
      }
    }
    return tally;
  }

  private static void orderOnAndOn(Requests orders, Predicate<Tally> more, Tally tally)
      throws InterruptedException {
    while (more.test(tally)) {
      try (var wire = new Wire(orders.server())) {
        while (more.test(tally) && !wire.isOver()) {
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
