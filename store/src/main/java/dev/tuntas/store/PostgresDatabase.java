package dev.tuntas.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// PostgreSQL 15 or later, through a pool of the store's own.
final class PostgresDatabase extends Database {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresDatabase.class);
  private static final int OLDEST_MAJOR = 15;

  /// Answers later than this come from a dead connection.
  private static final int SOCKET_GRACE_SECONDS = 5;

  private static final String SETTINGS =
      """
      select current_setting('server_version_num')::int / 10000,
             current_setting('synchronous_commit'), current_setting('fsync'),
             current_setting('server_encoding'), pg_is_in_recovery()
      """;

  private final HikariDataSource pool;

  private PostgresDatabase(HikariDataSource pool) {
    this.pool = pool;
  }

  static PostgresDatabase open(PostgresSettings settings) {
    var database = new PostgresDatabase(pool(settings));
    try {
      database.read("look at the server's settings", PostgresDatabase::refuseUnsafe);
      new Schema(database.pool, Dialect.POSTGRES).migrate();
      return database;
    } catch (SQLException e) {
      database.close();
      throw database.failure("bring the schema up to date", Stage.BEFORE_COMMIT, e);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  private static HikariDataSource pool(PostgresSettings settings) {
    var config = new HikariConfig();
    config.setPoolName("tuntas");
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setMaximumPoolSize(settings.connectionsMax());
    config.setConnectionTimeout(Math.max(250, settings.connectTimeout().toMillis()));
    config.addDataSourceProperty("ApplicationName", "tuntas");
    config.addDataSourceProperty("options", options(settings));
    config.addDataSourceProperty("connectTimeout", seconds(settings.connectTimeout().toMillis()));
    config.addDataSourceProperty(
        "socketTimeout", seconds(settings.statementTimeout().toMillis()) + SOCKET_GRACE_SECONDS);
    config.addDataSourceProperty("tcpKeepAlive", true);
    config.addDataSourceProperty("prepareThreshold", 1);
    try {
      return new HikariDataSource(config);
    } catch (PoolInitializationException e) {
      throw new StoreException(Kind.NOT_DONE, "connect to " + settings.url(), e);
    }
  }

  /// Settings of every session, given when it begins. A cached plan without statistics may be a
  /// full scan, so every statement is planned for its values, and scans count as the last resort.
  private static String options(PostgresSettings settings) {
    return String.join(
        " ",
        "-c plan_cache_mode=force_custom_plan",
        "-c enable_seqscan=off",
        "-c jit=off",
        "-c synchronous_commit=on",
        "-c default_transaction_isolation=read\\ committed",
        "-c statement_timeout=" + settings.statementTimeout().toMillis(),
        "-c idle_in_transaction_session_timeout=" + settings.statementTimeout().toMillis(),
        "-c lock_timeout=" + settings.lockTimeout().toMillis());
  }

  private static int seconds(long millis) {
    return Math.toIntExact(Math.ceilDiv(millis, 1000L));
  }

  private static Void refuseUnsafe(Session session) throws SQLException {
    try (var row = session.prepare(SETTINGS).executeQuery()) {
      row.next();
      if (row.getInt(1) < OLDEST_MAJOR) {
        throw unusable("PostgreSQL " + row.getInt(1) + " is too old: 15 or later is needed");
      }
      if (!row.getString(2).equals("on")) {
        throw unusable("synchronous_commit is " + row.getString(2) + ": commits could be lost");
      }
      if (!row.getString(4).equals("UTF8")) {
        throw unusable("its encoding is " + row.getString(4) + ", UTF8 is needed");
      }
      if (row.getBoolean(5)) throw unusable("the server is a standby and cannot be written to");
      if (row.getString(3).equals("off")) {
        LOG.warn("fsync is off on the PostgreSQL server: a crash of its machine loses commits");
      }
      return null;
    }
  }

  private static StoreException unusable(String why) {
    return new StoreException(Kind.UNUSABLE, "the database cannot be used: " + why, null);
  }

  @Override
  Dialect dialect() {
    return Dialect.POSTGRES;
  }

  @Override
  <T, X extends Exception> T read(String attempted, Work<T, X> work) throws X {
    return autocommit(attempted, Stage.BEFORE_COMMIT, work);
  }

  @Override
  <T, X extends Exception> T write(String attempted, Work<T, X> work) throws X {
    return autocommit(attempted, Stage.COMMIT, work);
  }

  private <T, X extends Exception> T autocommit(String attempted, Stage stage, Work<T, X> work)
      throws X {
    try (var connection = connect(attempted)) {
      return work.run(new Session(connection, Dialect.POSTGRES));
    } catch (SQLException e) {
      throw failure(attempted, stage, e);
    }
  }

  @Override
  <T, X extends Exception> T transact(String attempted, Work<T, X> work) throws X {
    var stage = Stage.BEFORE_COMMIT;
    try (var connection = connect(attempted)) {
      connection.setAutoCommit(false); // the pool rolls back what was not committed
      var result = work.run(new Session(connection, Dialect.POSTGRES));
      stage = Stage.COMMIT;
      connection.commit();
      return result;
    } catch (SQLException e) {
      throw failure(attempted, stage, e);
    }
  }

  private Connection connect(String attempted) {
    try {
      return pool.getConnection();
    } catch (SQLException e) {
      throw failure(attempted, Stage.BEFORE_COMMIT, e);
    }
  }

  @Override
  StoreException failure(String attempted, Stage stage, SQLException cause) {
    return new StoreException(
        PostgresFailures.kindOf(cause, stage), attempted + ": " + cause.getMessage(), cause);
  }

  @Override
  public void close() {
    pool.close();
  }
}
