package dev.tuntas.testkit.threads;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// In the place of [Semaphore].
public final class ControlledSemaphore extends Semaphore {

  private static final long serialVersionUID = 1L;

  private int permits;

  public ControlledSemaphore(int permits) {
    super(0);
    this.permits = permits;
  }

  public ControlledSemaphore(int permits, boolean fair) {
    this(permits);
  }

  @Override
  public void acquire() throws InterruptedException {
    tryAcquire(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
  }

  @Override
  public void acquireUninterruptibly() {
    Controlled.awaitPatiently("a permit", () -> permits > 0);
    permits -= 1;
  }

  @Override
  public boolean tryAcquire() {
    Controlled.point();
    return take();
  }

  @Override
  public boolean tryAcquire(long timeout, TimeUnit unit) throws InterruptedException {
    Controlled.await("a permit", unit.toNanos(timeout), () -> permits > 0);
    return take();
  }

  private boolean take() {
    if (permits <= 0) return false;
    permits -= 1;
    return true;
  }

  @Override
  public void release() {
    Controlled.point();
    permits += 1;
  }

  @Override
  public int availablePermits() {
    Controlled.point();
    return permits;
  }

  @Override
  public int drainPermits() {
    Controlled.point();
    int drained = permits;
    permits = 0;
    return drained;
  }

  @Override
  public void acquire(int many) {
    throw refused();
  }

  @Override
  public boolean tryAcquire(int many) {
    throw refused();
  }

  @Override
  public boolean tryAcquire(int many, long timeout, TimeUnit unit) {
    throw refused();
  }

  @Override
  public void release(int many) {
    throw refused();
  }

  private static UnsupportedOperationException refused() {
    return new UnsupportedOperationException("several permits at once are not controlled yet");
  }
}
