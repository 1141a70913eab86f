package dev.tuntas.store;

import java.util.Optional;

/// Tables in a database that the store, too, could use.
final class DatabaseTables implements Tables {

  private final Database database;
  private final Runnable close;

  DatabaseTables(Database database, Runnable close) {
    this.database = database;
    this.close = close;
  }

  @Override
  public <T> T read(String attempted, Work<T> work) {
    return database.<T, RuntimeException>read(attempted, work::run);
  }

  @Override
  public <T> T write(String attempted, Work<T> work) {
    return database.share(attempted, work);
  }

  @Override
  public Optional<LogState> log() {
    return database.log();
  }

  @Override
  public void close() {
    close.run();
  }
}
