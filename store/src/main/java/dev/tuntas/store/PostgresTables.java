package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.store.Database.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Tables in a schema of PostgreSQL.
final class PostgresTables implements Tables, SharedCommits.Transactions {

  private static final String WAIT_FOR_TURN = "select pg_advisory_xact_lock(hashtext(?))";

  /// Batches that are written side by side.
  private static final int WRITERS = 2;

  private final PostgresPool pool;
  private final TableSet set;
  private final SharedCommits commits;

  /// First come, first served. The pool itself is not fair: under load some would wait in vain
  /// while others come again and again. Writers have connections of their own.
  private final Semaphore readers;

  private PostgresTables(PostgresPool pool, TableSet set) {
    this.pool = pool;
    this.set = set;
    int writers = set.writtenInTurn() ? 1 : WRITERS;
    this.commits = new SharedCommits(set.name(), writers, this);
    this.readers = new Semaphore(pool.size() - writers, true);
  }

  static PostgresTables open(PostgresSettings settings, TableSet set) {
    var planning = PostgresPool.PLANNED_ONCE + " -c search_path=" + set.name();
    var pool =
        PostgresPool.open("tuntas-" + set.name(), settings, settings.connectionsMax(), planning);
    try {
      prepare(pool, set);
      return new PostgresTables(pool, set);
    } catch (SQLException e) {
      pool.close();
      throw PostgresFailures.failed("open the tables of " + set.name(), Stage.BEFORE_COMMIT, e);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private static void prepare(PostgresPool pool, TableSet set) throws SQLException {
    try (var connection = pool.first()) {
      PostgresDatabase.refuseUnsafe(connection);
      createSchema(connection, set.name());
    }
    new Schema(pool.source(), Dialect.POSTGRES, Schema.Wanted.alone(set)).migrate();
    pool.closeAll(); // a migration needs more of them than what comes after it
  }

  /// Several processes may start at once; "if not exists" alone does not keep them apart.
  private static void createSchema(Connection connection, String name) throws SQLException {
    try (var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("select pg_advisory_xact_lock(hashtext('tuntas schema'))");
      statement.execute("create schema if not exists " + name);
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  @Override
  public <T> T read(String attempted, Work<T> work) {
    awaitTurn(attempted);
    try {
      return pool.<T, RuntimeException>autocommit(attempted, Stage.BEFORE_COMMIT, work::run);
    } finally {
      readers.release();
    }
  }

  private void awaitTurn(String attempted) {
    try {
      if (readers.tryAcquire(pool.patience().toMillis(), TimeUnit.MILLISECONDS)) return;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw notDone(attempted + ": interrupted");
    }
    throw notDone(attempted + ": no connection was free");
  }

  @Override
  public <T> T write(String attempted, Work<T> work) {
    return commits.write(attempted, work);
  }

  @Override
  public <T> T transact(String attempted, Work<T> work) {
    return pool.<T, RuntimeException>transact(
        attempted,
        session -> {
          if (set.writtenInTurn()) session.list(WAIT_FOR_TURN, row -> row, set.name());
          return work.run(session);
        });
  }

  @Override
  public StoreException failure(String attempted, SQLException cause) {
    return pool.failure(attempted, Stage.BEFORE_COMMIT, cause);
  }

  @Override
  public void waitForLocks(Session session, Duration atMost) throws SQLException {
    session.update("set local lock_timeout = " + atMost.toMillis());
  }

  private static StoreException notDone(String why) {
    return new StoreException(Kind.NOT_DONE, why, null);
  }

  @Override
  public void close() {
    commits.close();
    pool.close();
  }
}
