package dev.tuntas.testkit.threads.scenarios;

import dev.tuntas.testkit.threads.Scenario;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/// Mistakes of a few lines, each of another kind.
public final class SmallScenarios {

  private SmallScenarios() {}

  private static Thread begin(Runnable work) {
    return Thread.ofPlatform().name("other").start(work);
  }

  public static final class NothingWrong implements Scenario {
    private final Deque<Integer> numbers = new ArrayDeque<>();

    @Override
    public void run(RandomGenerator random) throws Exception {
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < 3; i++) threads.add(begin(this::fill));
      for (var thread : threads) thread.join();
      if (numbers.size() != 30) throw new AssertionError(numbers.size() + " numbers");
    }

    private void fill() {
      for (int i = 0; i < 10; i++) add(i);
    }

    private synchronized void add(int number) {
      numbers.add(number);
      if (number % 2 == 0) numbers.add(numbers.remove());
    }
  }

  public static final class LostUpdate implements Scenario {
    private int sum;

    @Override
    public void run(RandomGenerator random) throws Exception {
      var other = begin(() -> sum += 1);
      sum += 1;
      other.join();
      if (sum != 2) throw new AssertionError("an update was lost");
    }
  }

  public static final class CheckThenAct implements Scenario {
    private final AtomicInteger left = new AtomicInteger(1);

    @Override
    public void run(RandomGenerator random) throws Exception {
      var other = begin(this::take);
      take();
      other.join();
      if (left.get() < 0) throw new AssertionError("more was taken than there was");
    }

    private void take() {
      if (left.get() > 0) left.decrementAndGet();
    }
  }

  public static final class TwoLocksInTwoOrders implements Scenario {
    private final Object one = new Object();
    private final Object two = new Object();

    @Override
    public void run(RandomGenerator random) throws Exception {
      var other = begin(() -> both(one, two));
      both(two, one);
      other.join();
    }

    private static void both(Object first, Object second) {
      synchronized (first) {
        synchronized (second) {
          Thread.onSpinWait();
        }
      }
    }
  }

  public static final class WaitsForNobody implements Scenario {
    @Override
    public void run(RandomGenerator random) throws Exception {
      new Semaphore(0).acquire();
    }
  }

  public static final class GoesRoundAndRound implements Scenario {
    private volatile boolean done;

    @Override
    public void run(RandomGenerator random) {
      begin(
          () -> {
            try {
              Thread.sleep(10);
              done = true;
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
      while (!done) Thread.onSpinWait();
    }
  }

  public static final class LeavesAThread implements Scenario {
    @Override
    public void run(RandomGenerator random) {
      begin(
          () -> {
            try {
              while (true) Thread.sleep(100);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
    }
  }

  public static final class ThrowsElsewhere implements Scenario {
    @Override
    public void run(RandomGenerator random) throws Exception {
      begin(
              () -> {
                throw new IllegalStateException("planned by nobody");
              })
          .join();
    }
  }
}
