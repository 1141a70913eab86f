package dev.tuntas.bench;

import dev.tuntas.bench.Contender.Cost;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.SagaStore;
import dev.tuntas.engine.Write;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Counts what an engine writes for its sagas, on the way into the store. The same on every
/// database, and without a doubt about when a database's own statistics are complete.
final class WriteCounter {

  private final int rowsPerEntry;
  private final AtomicLong commits = new AtomicLong();
  private final AtomicLong rows = new AtomicLong();

  /// @param rowsPerEntry what the store makes of an entry, besides its notices and what it settles
  WriteCounter(int rowsPerEntry) {
    this.rowsPerEntry = rowsPerEntry;
  }

  SagaStore count(SagaStore real) {
    return (SagaStore) proxy(SagaStore.class, real);
  }

  Outbox count(Outbox real) {
    return (Outbox) proxy(Outbox.class, real);
  }

  Cost cost() {
    return new Cost(commits.get(), rows.get());
  }

  private Object proxy(Class<?> type, Object real) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (_, method, arguments) -> {
          var result = call(real, method, arguments);
          note(method, arguments);
          return result;
        });
  }

  private static @Nullable Object call(Object real, Method method, @Nullable Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private void note(Method method, @Nullable Object[] arguments) {
    if (method.getName().equals("commit") && arguments[1] instanceof Collection<?> batch) {
      add(batch.stream().mapToInt(entry -> rowsOf((Write) entry)).sum());
    } else if (method.getName().equals("published") && arguments[0] instanceof Collection<?> gone) {
      add(gone.size());
    }
  }

  private void add(long written) {
    commits.incrementAndGet();
    rows.addAndGet(written);
  }

  private int rowsOf(Write entry) {
    int settled = entry instanceof Write.Move move ? move.applied().size() : 0;
    return rowsPerEntry + entry.notices().size() + settled;
  }
}
