package dev.tuntas.engine;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/// What could be wrong with threads. Each class has the methods that are called in the place of the
/// real ones, which it may call.
public final class Mistakes {

  private Mistakes() {}

  /// A ring that comes while nobody waits is forgotten: just before the wait it is lost.
  public static final class ABellForgets {

    private static final Set<Bell> AWAITED = ConcurrentHashMap.newKeySet();

    private ABellForgets() {}

    static void ring(Bell bell) {
      if (AWAITED.contains(bell)) bell.ring();
    }

    static void await(Bell bell, Duration atMost) throws InterruptedException {
      AWAITED.add(bell);
      try {
        bell.await(atMost);
      } finally {
        AWAITED.remove(bell);
      }
    }
  }

  /// Two threads may both find that they are the first.
  public static final class LookThenSet {

    private LookThenSet() {}

    public static boolean compareAndSet(AtomicBoolean it, boolean expected, boolean next) {
      if (it.get() != expected) return false;
      it.set(next);
      return true;
    }
  }

  /// One that others took for dead goes on under its old number.
  public static final class TheDeadGoOn {

    private TheDeadGoOn() {}

    static boolean isDead(EngineNode node) {
      return false;
    }
  }
}
