package dev.tuntas.bench.chaos;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/// Lets customers come, each on a thread of its own, whether or not the server is up.
public final class Arrivals {

  /// So many at most are on their errands at once; then the next one waits outside.
  private static final int AT_ONCE = 400;

  private final Door door;
  private final Journal journal;
  private final Flow flow;

  /// How they come.
  ///
  /// @param linger who got no answer for so long after the last one came gives up
  public record Flow(long seed, int perSecond, Duration linger) {}

  public Arrivals(Door door, Journal journal, Flow flow) {
    this.door = door;
    this.journal = journal;
    this.flow = flow;
  }

  /// Returns when all have gone home.
  ///
  /// @param until when the last one comes, in nanoseconds of this process: it may change
  public void run(LongSupplier until) throws InterruptedException {
    LongSupplier patience = () -> until.getAsLong() + flow.linger.toNanos();
    var random = new SplittableRandom(~flow.seed);
    var today = LocalDate.now(ZoneOffset.UTC);
    var places = new Semaphore(AT_ONCE);
    long next = System.nanoTime();
    try (var customers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (long no = 0; System.nanoTime() < until.getAsLong(); no++) {
        places.acquire();
        send(customers, places, Errand.drawn(no, random.split(), today), patience);
        next += (long) (random.nextExponential() * 1e9 / flow.perSecond);
        long pause = next - System.nanoTime();
        if (pause > 0) Thread.sleep(pause / 1_000_000, (int) (pause % 1_000_000));
        else next = System.nanoTime();
      }
    }
  }

  private void send(
      ExecutorService customers, Semaphore places, Errand errand, LongSupplier until) {
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
