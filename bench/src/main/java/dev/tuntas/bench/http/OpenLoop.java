package dev.tuntas.bench.http;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/// Orders that come at fixed times, whatever became of those before. How long one took is counted
/// from the time at which it was meant to be sent.
final class OpenLoop implements AutoCloseable {

  private static final int CONNECTIONS_MAX = 500;

  /// Whoever sleeps for less wakes so often that the server feels it.
  private static final long NAP_NANOS = 300_000;

  private final Requests orders;
  private final Semaphore connections = new Semaphore(CONNECTIONS_MAX);
  private final ConcurrentLinkedDeque<Wire> idle = new ConcurrentLinkedDeque<>();

  OpenLoop(Requests orders) {
    this.orders = orders;
  }

  /// Orders for two spans in a row without a break. Those of the first are not counted.
  ///
  /// @param counted what became of those of the second
  /// @param mark run when the second span begins, and when it ends
  void run(double perSecond, Duration runIn, Duration span, Tally counted, Runnable mark) {
    var uncounted = new Tally();
    long first = (long) (perSecond * runIn.toNanos() / 1e9);
    long count = first + (long) (perSecond * span.toNanos() / 1e9);
    long begin = System.nanoTime();
    var marks = new ArrayList<CompletableFuture<Void>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long i = 0; i < count; i++) {
        if (i == first) marks.add(CompletableFuture.runAsync(mark, threads));
        var tally = i < first ? uncounted : counted;
        long meant = begin + (long) (i * 1e9 / perSecond);
        await(meant);
        // Without a free connection it is not sent at all: whoever queues here takes time from the
        // server, which shares the machine.
        if (connections.tryAcquire()) threads.submit(() -> order(meant, tally));
        else tally.unsent();
      }
      if (first == count) { // the second span is too short for one
        await(begin + runIn.toNanos());
        marks.add(CompletableFuture.runAsync(mark, threads));
        await(begin + runIn.toNanos() + span.toNanos());
      }
      marks.add(CompletableFuture.runAsync(mark, threads));
    }
    for (var made : marks) made.join();
  }

  private static void await(long meant) {
    for (long ahead = meant - System.nanoTime(); ahead > 0; ahead = meant - System.nanoTime()) {
      LockSupport.parkNanos(Math.max(ahead, NAP_NANOS));
    }
  }

  Tally run(double perSecond, Duration runIn, Duration span) {
    var counted = new Tally();
    run(perSecond, runIn, span, counted, () -> {});
    return counted;
  }

  private void order(long meant, Tally tally) {
    try {
      send(meant, tally);
    } finally {
      connections.release();
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // a good wire is kept for the next order
  private void send(long meant, Tally tally) {
    try {
      var known = idle.poll();
      var wire = known != null ? known : new Wire(orders.server());
      try {
        int status = wire.ask(orders.next());
        tally.answered(status, System.nanoTime() - meant);
        if (wire.isOver()) wire.close();
        else idle.push(wire);
      } catch (IOException e) {
        wire.close();
        throw e;
      }
    } catch (IOException _) {
      tally.broken();
    }
  }

  @Override
  public void close() throws IOException {
    for (var wire = idle.poll(); wire != null; wire = idle.poll()) wire.close();
  }
}
