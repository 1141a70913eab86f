package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;

/// The tables of one service, in a database of their own. What fails becomes a [StoreException]
/// that says what is known; what the work itself throws comes out as it is, after a rollback.
///
/// Transactions of several threads share commits. On SQLite there is one writer. On PostgreSQL they
/// run side by side, as `read committed`, unless the set says that they take turns: what was read
/// and then decides must be locked (`for update`) or written conditionally.
public interface Tables extends AutoCloseable {

  /// What is done in a transaction. It may be run again after a rollback, so all that it changes is
  /// in the tables.
  @FunctionalInterface
  interface Work<T> {
    T run(Session session) throws SQLException;
  }

  /// Runs work that changes nothing. Its statements may see different moments.
  <T> T read(String attempted, Work<T> work);

  /// Runs work in one transaction.
  <T> T write(String attempted, Work<T> work);

  /// Checks that the database answers.
  default void ping() {
    read("ping", session -> session.first("select 1", row -> row.getInt(1)));
  }

  /// Commits a write that changes nothing of the service's, in turn with all others: where it
  /// fails, or takes long, nothing can be written. For tables with a database of their own.
  default void prove() {
    write("prove that it can be written", Session::prove);
  }

  /// How the log fares that SQLite keeps beside its file; empty for everything else.
  default Optional<LogState> log() {
    return Optional.empty();
  }

  @Override
  void close();

  /// In a folder of their own, for one process.
  static Tables sqlite(Path folder, TableSet set) {
    var database = SqliteDatabase.open(folder, set.name(), Schema.Wanted.alone(set));
    return new DatabaseTables(database, database::close);
  }

  /// In a schema of their own, for any number of processes.
  static Tables postgres(PostgresSettings settings, TableSet set) {
    return PostgresTables.open(settings, set);
  }

  /// In memory, for one thread: for tests and simulations.
  static Tables inMemory(TableSet set) {
    return MemoryTables.open(set);
  }
}
