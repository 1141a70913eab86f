package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// A place where a process and the world outside it meet: the only places where a crash or a lost
/// reply makes a difference.
interface Boundary {

  /// What goes wrong at a boundary.
  enum Harm {
    NONE,
    /// The process dies before it does what it was about to do.
    CRASH_BEFORE,
    /// It is done, and the process dies before it hears of it.
    CRASH_AFTER,
    /// It is done, and the process does not hear of it.
    REPLY_LOST,
    /// It is not done, and the process knows.
    REFUSED,
    /// It is not done, and the process does not know.
    REQUEST_LOST
  }

  /// Chooses the harm at the next boundary.
  Harm next(boolean isCall);

  /// Does some work on the store, with whatever harm comes.
  default <T> T write(Supplier<T> work) {
    var harm = next(false);
    switch (harm) {
      case CRASH_BEFORE -> throw new Crash();
      case REFUSED -> throw new StoreException(Kind.NOT_DONE, "simulated: busy", null);
      case REQUEST_LOST -> throw new StoreException(Kind.UNKNOWN, "simulated: lost", null);
      case NONE, CRASH_AFTER, REPLY_LOST -> {}
    }
    var result = work.get();
    harmAfter(harm);
    return result;
  }

  /// The same for work that is only a boundary if it found something to do.
  default <T> T find(Supplier<T> work, Predicate<T> foundSomething) {
    var result = work.get();
    if (foundSomething.test(result)) harmAfter(next(false));
    return result;
  }

  private static void harmAfter(Harm harm) {
    switch (harm) {
      case CRASH_BEFORE, CRASH_AFTER -> throw new Crash();
      case REPLY_LOST -> throw new StoreException(Kind.UNKNOWN, "simulated: reply lost", null);
      case NONE, REFUSED, REQUEST_LOST -> {}
    }
  }
}
