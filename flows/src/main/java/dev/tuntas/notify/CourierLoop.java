package dev.tuntas.notify;

import dev.tuntas.engine.Trouble;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs couriers in real time, each on a thread of its own, so that a channel that hangs delays no
/// other. Closing waits for the attempts under way.
public final class CourierLoop implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(CourierLoop.class);

  private final List<Thread> threads;
  private final Duration rest;
  private volatile boolean ending;

  /// @param rest how long a courier that found nothing to do waits
  public CourierLoop(List<Courier> couriers, Duration rest) {
    this.rest = rest;
    this.threads =
        couriers.stream()
            .map(
                courier ->
                    Thread.ofVirtual()
                        .name("courier-" + courier.channel())
                        .start(() -> run(courier)))
            .toList();
  }

  private void run(Courier courier) {
    var trouble = new Trouble(log, "The courier of " + courier.channel());
    while (!ending) {
      int tried = 0;
      try {
        tried = courier.deliverDue();
        trouble.worked();
      } catch (RuntimeException | Error e) {
        trouble.failed(e);
      }
      if (tried == 0) LockSupport.parkNanos(rest.toNanos());
    }
  }

  @Override
  public void close() {
    ending = true;
    for (var thread : threads) LockSupport.unpark(thread);
    for (var thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
