package dev.tuntas.testkit.threads;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// In the place of [LinkedBlockingQueue].
public final class ControlledQueue<E> extends LinkedBlockingQueue<E> {

  private static final long serialVersionUID = 1L;

  public ControlledQueue() {}

  public ControlledQueue(int capacity) {
    super(capacity);
  }

  @Override
  public E take() throws InterruptedException {
    Controlled.await("something in a queue", Long.MAX_VALUE, () -> !isEmpty());
    return super.take();
  }

  @Override
  public @Nullable E poll(long timeout, TimeUnit unit) throws InterruptedException {
    Controlled.await("something in a queue", unit.toNanos(timeout), () -> !isEmpty());
    return super.poll();
  }

  @Override
  public void put(E element) throws InterruptedException {
    Controlled.await("room in a queue", Long.MAX_VALUE, () -> remainingCapacity() > 0);
    super.put(element);
  }

  @Override
  public boolean offer(E element, long timeout, TimeUnit unit) throws InterruptedException {
    Controlled.await("room in a queue", unit.toNanos(timeout), () -> remainingCapacity() > 0);
    return super.offer(element);
  }
}
