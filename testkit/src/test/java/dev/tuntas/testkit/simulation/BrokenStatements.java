package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.StoreException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// A mistake: a statement that failed once is used again, and fails for ever.
public final class BrokenStatements {

  private static final Set<BadTimes> BROKEN = ConcurrentHashMap.newKeySet();

  private BrokenStatements() {}

  static <T> T on(BadTimes times, BadTimes.Task task, Supplier<T> done) {
    if (task != BadTimes.Task.OTHER) return times.on(task, done);
    if (BROKEN.contains(times)) {
      throw new StoreException(StoreException.Kind.NOT_DONE, "statement is not executing", null);
    }
    try {
      return times.on(task, done);
    } catch (StoreException failed) {
      BROKEN.add(times);
      throw failed;
    }
  }
}
