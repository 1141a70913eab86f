package dev.tuntas.bench.chaos;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/// Lets customers come, each on a thread of its own, whether or not the server is up.
final class Arrivals {

  /// So many at most are on their errands at once; then the next one waits outside.
  private static final int AT_ONCE = 400;

  /// A customer who got no answer for so long after the run gives up.
  private static final long LINGER_NANOS = 180_000_000_000L;

  private final ChaosSettings settings;
  private final Door door;
  private final Journal journal;

  Arrivals(ChaosSettings settings, Door door, Journal journal) {
    this.settings = settings;
    this.door = door;
    this.journal = journal;
  }

  /// Returns when all have gone home.
  void run(long until) throws InterruptedException {
    var random = new SplittableRandom(~settings.seed());
    var today = LocalDate.now(ZoneOffset.UTC);
    var places = new Semaphore(AT_ONCE);
    long next = System.nanoTime();
    try (var customers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long no = 0; System.nanoTime() < until; no++) {
        places.acquire();
        send(customers, places, Errand.drawn(no, random.split(), today), until + LINGER_NANOS);
        next += (long) (random.nextExponential() * 1e9 / settings.perSecond());
        long pause = next - System.nanoTime();
        if (pause > 0) Thread.sleep(pause / 1_000_000, (int) (pause % 1_000_000));
        else next = System.nanoTime();
      }
    }
  }

  private void send(ExecutorService customers, Semaphore places, Errand errand, long until) {
    var story = journal.open(errand);
    customers.submit(
        () -> {
          try {
            new Customer(door, story, until).run();
          } finally {
            places.release();
          }
          return null;
        });
  }
}
