package dev.tuntas.server.services;

import dev.tuntas.engine.Trouble;
import dev.tuntas.simulator.Timer;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does things later, each on a thread of its own. What fails is tried again a second later.
final class ScheduledTimer implements Timer, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ScheduledTimer.class);

  private final Trouble trouble = new Trouble(log, "Work of the simulated partner");
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration END_WITHIN = Duration.ofSeconds(5);

  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("simulated-dispatch").factory());
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

  @Override
  public void after(Duration time, Runnable task) {
    try {
      clock.schedule(() -> begin(task), time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException _) {
      // It ends; what was to happen is in the tables.
    }
  }

  private void begin(Runnable task) {
    try {
      workers.execute(() -> run(task));
    } catch (RejectedExecutionException _) {
      // It ends, too.
    } catch (Error e) {
      failed(e, task);
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
      trouble.worked();
    } catch (RuntimeException | Error e) {
      failed(e, task);
    }
  }

  private void failed(Throwable why, Runnable task) {
    if (workers.isShutdown()) return;
    trouble.failed(why);
    after(AGAIN, task);
  }

  @Override
  public void close() throws InterruptedException {
    clock.shutdownNow();
    workers.shutdown();
    if (workers.awaitTermination(END_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) return;
    workers.shutdownNow();
  }
}
