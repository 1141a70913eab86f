package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.store.SharedCommits.Transactions;
import dev.tuntas.store.Tables.Work;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedCommitsTest extends SharedCommitsRules {

  @TempDir private Path folder;

  @Override
  Tables open() {
    return Tables.sqlite(folder, TablesRules.SHOP);
  }

  @Test
  void a_thread_that_could_not_be_made_is_made_later() {
    var made = new AtomicInteger();
    ThreadFactory threads =
        task -> {
          if (made.getAndIncrement() == 0) throw new OutOfMemoryError("no native thread");
          return Thread.ofPlatform().daemon().unstarted(task);
        };
    try (var commits = new SharedCommits("test", 1, new Nowhere(), threads)) {
      assertThat(commits.<String>write("tea", _ -> "done")).isEqualTo("done");
    }
    assertThat(made).hasValue(2);
  }

  /// Runs work that needs no database.
  private static final class Nowhere implements Transactions {

    @Override
    @SuppressWarnings("NullAway")
    public <T> T transact(String attempted, Work<T> work) {
      try {
        return work.run(null);
      } catch (SQLException e) {
        throw failure(attempted, e);
      }
    }

    @Override
    public StoreException failure(String attempted, SQLException cause) {
      return new StoreException(Kind.NOT_DONE, attempted, cause);
    }
  }
}
