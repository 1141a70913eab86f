package dev.tuntas.testkit.threads;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// In the place of [CompletableFuture].
public final class ControlledFuture<T> extends CompletableFuture<T> {

  public ControlledFuture() {}

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new ControlledFuture<>();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    Controlled.await("a future", Long.MAX_VALUE, this::isDone);
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!Controlled.await("a future", unit.toNanos(timeout), this::isDone)) {
      throw new TimeoutException();
    }
    return super.get();
  }

  @Override
  public T join() {
    Controlled.awaitPatiently("a future", this::isDone);
    return super.join();
  }

  @Override
  public boolean complete(T value) {
    Controlled.point();
    return super.complete(value);
  }

  @Override
  public boolean completeExceptionally(Throwable why) {
    Controlled.point();
    return super.completeExceptionally(why);
  }

  @Override
  public Executor defaultExecutor() {
    throw new UnsupportedOperationException("the common pool is not controlled");
  }

  @Override
  public CompletableFuture<T> orTimeout(long timeout, TimeUnit unit) {
    throw new UnsupportedOperationException("timeouts of futures are not controlled yet");
  }

  @Override
  public CompletableFuture<T> completeOnTimeout(T value, long timeout, TimeUnit unit) {
    throw new UnsupportedOperationException("timeouts of futures are not controlled yet");
  }
}
