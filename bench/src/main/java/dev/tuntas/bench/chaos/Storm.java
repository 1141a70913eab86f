package dev.tuntas.bench.chaos;

import dev.tuntas.bench.BenchException;
import java.util.concurrent.atomic.AtomicReference;

/// Customers come while somebody makes trouble. What goes wrong in either ends it.
final class Storm {

  private Storm() {}

  static void run(Trouble trouble, Arrivals arrivals, long until) throws InterruptedException {
    var failure = new AtomicReference<RuntimeException>();
    var customers =
        Thread.ofVirtual()
            .name("arrivals")
            .start(
                () -> {
                  try {
                    arrivals.run(() -> until);
                  } catch (RuntimeException e) {
                    failure.set(e);
                  } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                  }
                });
    try {
      trouble.rage(until);
      customers.join();
    } finally {
      customers.interrupt();
    }
    var failed = failure.get();
    if (failed != null) throw new BenchException("no more orders came in: " + failed, failed);
  }
}
