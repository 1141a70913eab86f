package dev.tuntas.testkit.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// In the place of a [ThreadPoolExecutor] with as many threads as it may have, and a queue without
/// end.
public final class ControlledPool extends ThreadPoolExecutor {

  private final BlockingQueue<Runnable> queue;
  private final ThreadFactory threads;
  private final List<Thread> workers = new ArrayList<>();
  private final int size;
  private boolean isOver;

  public ControlledPool(
      int core,
      int max,
      long keepAlive,
      TimeUnit unit,
      BlockingQueue<Runnable> queue,
      ThreadFactory threads,
      RejectedExecutionHandler otherwise) {
    super(core, max, keepAlive, unit, queue, threads, otherwise);
    if (core != max) throw new UnsupportedOperationException("a pool of a varying size");
    this.size = core;
    this.queue = queue;
    this.threads = threads;
  }

  @Override
  public void execute(Runnable work) {
    Controlled.point();
    if (isOver) {
      getRejectedExecutionHandler().rejectedExecution(work, this);
      return;
    }
    queue.add(work);
    if (workers.size() >= size) return;
    var worker = threads.newThread(this::work);
    workers.add(worker);
    Controlled.start(worker);
  }

  private void work() {
    while (true) {
      Controlled.awaitPatiently("work", () -> isOver || !queue.isEmpty());
      var work = queue.poll();
      if (work != null) work.run();
      else if (isOver) return;
    }
  }

  @Override
  public void shutdown() {
    Controlled.point();
    isOver = true;
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    var left = new ArrayList<Runnable>();
    queue.drainTo(left);
    workers.forEach(Controlled::interrupt);
    return left;
  }

  @Override
  public boolean isShutdown() {
    return isOver;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return Controlled.await(
        "the end of a pool",
        unit.toNanos(timeout),
        () -> workers.stream().noneMatch(Controlled::isAlive));
  }

  @Override
  public Future<?> submit(Runnable work) {
    throw new UnsupportedOperationException("futures of a pool are not controlled yet");
  }

  @Override
  public <T> Future<T> submit(Callable<T> work) {
    throw new UnsupportedOperationException("futures of a pool are not controlled yet");
  }
}
