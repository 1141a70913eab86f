package dev.tuntas.store;

import static dev.tuntas.store.PostgresDatabase.connect;
import static dev.tuntas.store.PostgresDatabase.failed;

import com.zaxxer.hikari.HikariDataSource;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.store.Database.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Tables in a schema of PostgreSQL.
final class PostgresTables implements Tables {

  private final HikariDataSource pool;

  /// First come, first served. The pool itself is not fair: under load some would wait in vain
  /// while others come again and again.
  private final Semaphore turns;

  private PostgresTables(HikariDataSource pool) {
    this.pool = pool;
    this.turns = new Semaphore(pool.getMaximumPoolSize(), true);
  }

  static PostgresTables open(PostgresSettings settings, TableSet set) {
    var planning = PostgresDatabase.PLANNED_EACH_TIME + " -c search_path=" + set.name();
    var pool =
        PostgresDatabase.pool(
            "tuntas-" + set.name(), settings, settings.connectionsMax(), planning);
    try {
      pool.setMinimumIdle(1); // a process has several such pools, and a server few connections
      prepare(pool, set);
      return new PostgresTables(pool);
    } catch (SQLException e) {
      pool.close();
      throw failed("open the tables of " + set.name(), Stage.BEFORE_COMMIT, e);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private static void prepare(HikariDataSource pool, TableSet set) throws SQLException {
    try (var connection = pool.getConnection()) {
      PostgresDatabase.refuseUnsafe(connection);
      createSchema(connection, set.name());
    }
    new Schema(pool, Dialect.POSTGRES, Schema.Wanted.alone(set)).migrate();
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
    return inTurn(
        attempted,
        () -> {
          try (var connection = connect(pool, attempted)) {
            return work.run(new Session(connection, Dialect.POSTGRES));
          } catch (SQLException e) {
            throw failed(attempted, Stage.BEFORE_COMMIT, e);
          }
        });
  }

  @Override
  public <T> T write(String attempted, Work<T> work) {
    return inTurn(attempted, () -> transact(attempted, work));
  }

  private <T> T transact(String attempted, Work<T> work) {
    var stage = Stage.BEFORE_COMMIT;
    try (var connection = connect(pool, attempted)) {
      connection.setAutoCommit(false); // the pool rolls back what was not committed
      var result = work.run(new Session(connection, Dialect.POSTGRES));
      stage = Stage.COMMIT;
      connection.commit();
      return result;
    } catch (SQLException e) {
      throw failed(attempted, stage, e);
    }
  }

  private <T> T inTurn(String attempted, Supplier<T> use) {
    try {
      if (!turns.tryAcquire(pool.getConnectionTimeout(), TimeUnit.MILLISECONDS)) {
        throw notDone(attempted + ": no connection was free");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw notDone(attempted + ": interrupted");
    }
    try {
      return use.get();
    } finally {
      turns.release();
    }
  }

  private static StoreException notDone(String why) {
    return new StoreException(Kind.NOT_DONE, why, null);
  }

  @Override
  public void close() {
    pool.close();
  }
}
