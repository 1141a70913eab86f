package dev.tuntas.bench.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/// Orders that come at fixed times, whatever became of those before. How long one took is counted
/// from the time at which it was meant to be sent.
final class OpenLoop implements AutoCloseable {

  private static final int CONNECTIONS_MAX = 500;

  private final Orders orders;
  private final Semaphore connections = new Semaphore(CONNECTIONS_MAX);
  private final ConcurrentLinkedDeque<Wire> idle = new ConcurrentLinkedDeque<>();

  OpenLoop(Orders orders) {
    this.orders = orders;
  }

  Tally run(double perSecond, Duration span) {
    var tally = new Tally();
    long begin = System.nanoTime();
    long count = (long) (perSecond * span.toNanos() / 1e9);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long i = 0; i < count; i++) {
        long meant = begin + (long) (i * 1e9 / perSecond);
        for (long ahead = meant - System.nanoTime(); ahead > 0; ahead = meant - System.nanoTime()) {
          LockSupport.parkNanos(ahead);
        }
        // Without a free connection it is not sent at all: whoever queues here takes time from the
        // server, which shares the machine.
        if (connections.tryAcquire()) threads.submit(() -> order(meant, tally));
        else tally.unsent();
      }
    }
    return tally;
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
