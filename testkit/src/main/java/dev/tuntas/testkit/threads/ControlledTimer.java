package dev.tuntas.testkit.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// In the place of the JDK's timer with one thread. What one of its tasks throws is seen by nobody
/// there, and ends a task that repeats: here it is a finding.
final class ControlledTimer extends AbstractExecutorService implements ScheduledExecutorService {

  /// One that waits for its time. Nobody asks for its result.
  private static final class Due extends CompletableFuture<Void> implements ScheduledFuture<Void> {

    private final long at;
    private final int number;
    private final long every;
    private final Runnable work;

    Due(long at, int number, long every, Runnable work) {
      this.at = at;
      this.number = number;
      this.every = every;
      this.work = work;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(at - Controlled.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      var due = (Due) other;
      return at != due.at ? Long.compare(at, due.at) : Integer.compare(number, due.number);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  private final ThreadFactory threads;
  private final PriorityQueue<Due> due = new PriorityQueue<>();
  private @Nullable Thread worker;
  private boolean isOver;

  ControlledTimer(ThreadFactory threads) {
    this.threads = threads;
  }

  private Due plan(Runnable work, long delay, long every) {
    Controlled.point();
    if (isOver) throw new RejectedExecutionException("the timer was shut down");
    var planned = add(work, delay, every);
    if (worker == null) {
      worker = threads.newThread(this::work);
      Controlled.start(worker);
    }
    return planned;
  }

  private Due add(Runnable work, long delay, long every) {
    long at = Controlled.nanoTime() + Math.max(0, delay);
    var planned = new Due(at, Controlled.number(), every, work);
    due.add(planned);
    return planned;
  }

  private void work() {
    while (true) {
      var task = Controlled.task();
      task.scheduler.await(task, "its next task", nextAt(), () -> isOver || isDue());
      if (isOver) return;
      if (!isDue()) continue;
      var first = due.remove();
      if (first.isCancelled()) continue;
      try {
        first.work.run();
      } catch (RunIsOver over) {
        throw over;
      } catch (Throwable thrown) {
        throw new AssertionError("a task of a timer throws, which nobody would see", thrown);
      }
      task.interrupted = false;
      if (first.every > 0 && !isOver) add(first.work, first.every, first.every);
    }
  }

  private boolean isDue() {
    var first = due.peek();
    return first != null && first.at <= Controlled.nanoTime();
  }

  private long nextAt() {
    var first = due.peek();
    return first == null ? Task.NEVER : first.at;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
    return plan(work, unit.toNanos(delay), 0);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> work, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException("results of a timer are not controlled yet");
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable work, long first, long every, TimeUnit unit) {
    return scheduleWithFixedDelay(work, first, every, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable work, long first, long every, TimeUnit unit) {
    return plan(work, unit.toNanos(first), unit.toNanos(every));
  }

  @Override
  public void execute(Runnable work) {
    var _ = plan(work, 0, 0);
  }

  /// What has its time still to come is dropped, as the real one does with what repeats; it also
  /// would do what was planned once, for which nobody here waits.
  @Override
  public void shutdown() {
    shutdownNow();
  }

  @Override
  public List<Runnable> shutdownNow() {
    Controlled.point();
    isOver = true;
    due.clear();
    if (worker != null) Controlled.interrupt(worker);
    return new ArrayList<>();
  }

  @Override
  public boolean isShutdown() {
    return isOver;
  }

  @Override
  public boolean isTerminated() {
    return isOver && (worker == null || !Controlled.isAlive(worker));
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return Controlled.await("the end of a timer", unit.toNanos(timeout), this::isTerminated);
  }
}
