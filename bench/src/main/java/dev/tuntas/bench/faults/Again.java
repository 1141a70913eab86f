package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What somebody does again and again, on a thread of its own, until it is stopped.
final class Again {

  /// Something that is done once more.
  interface Deed {
    void run() throws Exception;
  }

  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread thread;
  private volatile @Nullable Exception failure;
  private volatile int times;

  private Again(Duration every, Deed deed) {
    this.thread = Thread.ofPlatform().daemon().name("again").start(() -> goOn(every, deed));
  }

  static Again start(Duration every, Deed deed) {
    return new Again(every, deed);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // this thread alone counts
  private void goOn(Duration every, Deed deed) {
    try {
      do {
        deed.run();
        times += 1;
      } while (!over.await(every.toMillis(), TimeUnit.MILLISECONDS));
    } catch (Exception e) {
      failure = e;
    }
  }

  /// Waits until the last time is over. What was not done to the end was no fault.
  ///
  /// @return how often it was done
  int stop() throws InterruptedException {
    over.countDown();
    thread.join();
    var why = failure;
    if (why != null) throw new BenchException("it could not be done again: " + why, why);
    return times;
  }
}
