package dev.tuntas.testkit.threads;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// In the place of [ReentrantLock].
public final class ControlledLock extends ReentrantLock {

  private static final long serialVersionUID = 1L;

  public ControlledLock() {}

  public ControlledLock(boolean fair) {
    super(fair);
  }

  @Override
  public void lock() {
    Controlled.enter(this);
  }

  @Override
  public void lockInterruptibly() throws InterruptedException {
    tryLock(Long.MAX_VALUE, TimeUnit.NANOSECONDS);
  }

  @Override
  public boolean tryLock() {
    Controlled.point();
    var task = Controlled.task();
    return task.scheduler.tryLock(task, this);
  }

  @Override
  public boolean tryLock(long timeout, TimeUnit unit) throws InterruptedException {
    var task = Controlled.task();
    Controlled.await("a lock", unit.toNanos(timeout), () -> task.scheduler.isFree(task, this));
    return task.scheduler.tryLock(task, this);
  }

  @Override
  public void unlock() {
    Controlled.exit(this);
  }

  @Override
  public boolean isHeldByCurrentThread() {
    var task = Controlled.task();
    return task.scheduler.holds(task, this);
  }

  @Override
  public Condition newCondition() {
    throw new UnsupportedOperationException("conditions are not controlled yet");
  }
}
