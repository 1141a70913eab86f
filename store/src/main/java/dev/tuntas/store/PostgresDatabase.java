package dev.tuntas.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// PostgreSQL 15 or later, through a pool of the store's own.
final class PostgresDatabase extends Database {

  private static final Logger log = LoggerFactory.getLogger(PostgresDatabase.class);
  private static final int OLDEST_MAJOR = 15;

  /// Connections for batches alone, so that no slow query keeps them waiting.
  private static final int WRITERS = 2;

  /// The batch statement chooses its own way and is planned once per connection. Everything else is
  /// planned for its values, because a plan made without statistics may be a full scan.
  static final String PLANNED_ONCE = "-c plan_cache_mode=force_generic_plan";

  static final String PLANNED_EACH_TIME = "-c plan_cache_mode=force_custom_plan";

  /// An answer that comes later than this after the statement timeout will not come.
  private static final int SOCKET_GRACE_SECONDS = 5;

  /// The pool takes no shorter time.
  private static final int POOL_WAIT_MILLIS_MIN = 250;

  private static final String SETTINGS =
      """
      select current_setting('server_version_num')::int / 10000,
             current_setting('synchronous_commit'), current_setting('fsync'),
             current_setting('server_encoding'), pg_is_in_recovery()
      """;

  private final HikariDataSource pool;
  private final HikariDataSource writers;
  private final HikariDataSource beats;

  private PostgresDatabase(HikariDataSource pool, PostgresSettings settings) {
    this.pool = pool;
    this.writers = pool("tuntas-writer", settings, WRITERS, PLANNED_ONCE);
    this.beats = pool("tuntas-beat", settings, 1, PLANNED_EACH_TIME);
  }

  static PostgresDatabase open(PostgresSettings settings) {
    int others = settings.connectionsMax() - WRITERS - 1;
    var pool = pool("tuntas", settings, others, PLANNED_EACH_TIME);
    try {
      prepare(pool);
      return new PostgresDatabase(pool, settings);
    } catch (SQLException e) {
      pool.close();
      throw failed("open the database", Stage.BEFORE_COMMIT, e);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private static void prepare(HikariDataSource pool) throws SQLException {
    try (var connection = pool.getConnection()) {
      refuseUnsafe(connection);
    }
    new Schema(pool, Dialect.POSTGRES, Schema.Wanted.sagas(Dialect.POSTGRES)).migrate();
  }

  static HikariDataSource pool(
      String name, PostgresSettings settings, int connections, String planning) {
    var config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setMaximumPoolSize(connections);
    // The server's details quote the row, and end up in logs.
    config.addDataSourceProperty("logServerErrorDetail", "false");
    config.setConnectionTimeout(
        Math.max(POOL_WAIT_MILLIS_MIN, settings.connectTimeout().toMillis()));
    config.addDataSourceProperty("ApplicationName", name);
    config.addDataSourceProperty("options", planning + options(settings));
    config.addDataSourceProperty("connectTimeout", seconds(settings.connectTimeout()));
    config.addDataSourceProperty(
        "socketTimeout", seconds(settings.statementTimeout()) + SOCKET_GRACE_SECONDS);
    config.addDataSourceProperty("tcpKeepAlive", true);
    config.addDataSourceProperty("prepareThreshold", 1);
    try {
      return new HikariDataSource(config);
    } catch (PoolInitializationException e) {
      throw new StoreException(
          Kind.NOT_DONE, "connect to " + settings.address() + ": " + e.getMessage(), e);
    }
  }

  private static String options(PostgresSettings settings) {
    return String.join(
        " -c ",
        "",
        "enable_seqscan=off",
        // A bitmap scan visits the dead entries of an index every time; an index scan marks them.
        "enable_bitmapscan=off",
        "max_parallel_workers_per_gather=0",
        "random_page_cost=1.1",
        "jit=off",
        "synchronous_commit=on",
        "default_transaction_isolation=read\\ committed",
        "statement_timeout=" + settings.statementTimeout().toMillis(),
        "idle_in_transaction_session_timeout=" + settings.statementTimeout().toMillis(),
        "lock_timeout=" + settings.lockTimeout().toMillis());
  }

  private static int seconds(Duration timeout) {
    return Math.toIntExact(Math.ceilDiv(timeout.toMillis(), 1000L));
  }

  static void refuseUnsafe(Connection connection) throws SQLException {
    try (var statement = connection.createStatement();
        var row = statement.executeQuery(SETTINGS)) {
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
        log.warn("fsync is off on the PostgreSQL server: a crash of its machine loses commits");
      }
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
  int writers() {
    return WRITERS;
  }

  @Override
  <T, X extends Exception> T read(String attempted, Work<T, X> work) throws X {
    return autocommit(pool, attempted, Stage.BEFORE_COMMIT, work);
  }

  @Override
  <T, X extends Exception> T write(String attempted, Work<T, X> work) throws X {
    return autocommit(pool, attempted, Stage.COMMIT, work);
  }

  @Override
  <T, X extends Exception> T commit(String attempted, Work<T, X> work) throws X {
    return autocommit(writers, attempted, Stage.COMMIT, work);
  }

  @Override
  <T, X extends Exception> T beat(String attempted, Work<T, X> work) throws X {
    return autocommit(beats, attempted, Stage.COMMIT, work);
  }

  private static <T, X extends Exception> T autocommit(
      HikariDataSource from, String attempted, Stage stage, Work<T, X> work) throws X {
    try (var connection = connect(from, attempted)) {
      return work.run(new Session(connection, Dialect.POSTGRES));
    } catch (SQLException e) {
      throw failed(attempted, stage, e);
    }
  }

  @Override
  <T, X extends Exception> T commitTogether(String attempted, Work<T, X> work) throws X {
    return inTransaction(writers, attempted, work);
  }

  @Override
  <T, X extends Exception> T transact(String attempted, Work<T, X> work) throws X {
    return inTransaction(pool, attempted, work);
  }

  private static <T, X extends Exception> T inTransaction(
      HikariDataSource from, String attempted, Work<T, X> work) throws X {
    var stage = Stage.BEFORE_COMMIT;
    try (var connection = connect(from, attempted)) {
      connection.setAutoCommit(false); // the pool rolls back what was not committed
      var result = work.run(new Session(connection, Dialect.POSTGRES));
      stage = Stage.COMMIT;
      connection.commit();
      return result;
    } catch (SQLException e) {
      throw failed(attempted, stage, e);
    }
  }

  static Connection connect(HikariDataSource from, String attempted) {
    try {
      return from.getConnection();
    } catch (SQLException e) {
      throw failed(attempted, Stage.BEFORE_COMMIT, e);
    }
  }

  @Override
  void migrate(Schema.Wanted tables) {
    try {
      new Schema(pool, Dialect.POSTGRES, tables).migrate();
    } catch (SQLException e) {
      throw failed("make tables", Stage.BEFORE_COMMIT, e);
    }
  }

  @Override
  StoreException failure(String attempted, Stage stage, SQLException cause) {
    return failed(attempted, stage, cause);
  }

  static StoreException failed(String attempted, Stage stage, SQLException cause) {
    return new StoreException(
        PostgresFailures.kindOf(cause, stage), attempted + ": " + cause.getMessage(), cause);
  }

  @Override
  public void close() {
    beats.close();
    writers.close();
    pool.close();
  }
}
