package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import java.sql.SQLException;
import java.util.Optional;

/// A database that lends sessions. What fails becomes a [StoreException] that says what is known;
/// what the work itself throws comes out as it is, after a rollback.
abstract sealed class Database implements AutoCloseable permits PostgresDatabase, SqliteDatabase {

  /// How far an attempt had come when it failed.
  enum Stage {
    /// Nothing was asked to commit.
    BEFORE_COMMIT,
    /// The commit was under way.
    COMMIT
  }

  @FunctionalInterface
  interface Work<T, X extends Exception> {
    T run(Session session) throws SQLException, X;
  }

  abstract Dialect dialect();

  /// Runs work that changes nothing.
  abstract <T, X extends Exception> T read(String attempted, Work<T, X> work) throws X;

  /// Runs work that changes something in one statement; others may only look.
  abstract <T, X extends Exception> T write(String attempted, Work<T, X> work) throws X;

  /// Shows that this process lives, on a connection that nothing else uses: whatever callers do to
  /// the others, a living process is not taken for dead.
  <T, X extends Exception> T beat(String attempted, Work<T, X> work) throws X {
    return write(attempted, work);
  }

  /// Writes a batch, on a connection that nothing else uses.
  abstract <T, X extends Exception> T commit(String attempted, Work<T, X> work) throws X;

  /// The same for a batch that is several statements.
  abstract <T, X extends Exception> T commitTogether(String attempted, Work<T, X> work) throws X;

  /// How many batches it writes side by side.
  abstract int writers();

  /// Runs work of several statements in one transaction.
  abstract <T, X extends Exception> T transact(String attempted, Work<T, X> work) throws X;

  /// Runs work of the application, as [Tables#write] says: where a commit holds up all others,
  /// several share one.
  <T> T share(String attempted, Tables.Work<T> work) {
    return this.<T, RuntimeException>transact(attempted, work::run);
  }

  /// Makes tables of the application beside the engine's.
  abstract void migrate(Schema.Wanted tables);

  /// The log that SQLite keeps beside its file; others have none that is ours to watch.
  Optional<LogState> log() {
    return Optional.empty();
  }

  /// Whether a new connection could write now. What is kept open takes no part.
  abstract boolean canWriteAnew();

  abstract StoreException failure(String attempted, Stage stage, SQLException cause);

  @Override
  public abstract void close();
}
