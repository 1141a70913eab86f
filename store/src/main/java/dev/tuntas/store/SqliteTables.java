package dev.tuntas.store;

/// Tables in a SQLite file of their own.
final class SqliteTables implements Tables {

  private final SqliteDatabase database;
  private final SharedCommits commits;

  SqliteTables(SqliteDatabase database) {
    this.database = database;
    this.commits = new SharedCommits(database);
  }

  @Override
  public <T> T read(String attempted, Work<T> work) {
    return database.<T, RuntimeException>read(attempted, work::run);
  }

  @Override
  public <T> T write(String attempted, Work<T> work) {
    return commits.write(attempted, work);
  }

  @Override
  public void close() {
    database.close();
  }
}
