package dev.tuntas.store;

import static dev.tuntas.store.PostgresPool.PLANNED_EACH_TIME;
import static dev.tuntas.store.PostgresPool.PLANNED_ONCE;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// PostgreSQL 15 or later, through a pool of the store's own.
final class PostgresDatabase extends Database {

  private static final Logger log = LoggerFactory.getLogger(PostgresDatabase.class);
  private static final int OLDEST_MAJOR = 15;

  /// Connections for batches alone, so that no slow query keeps them waiting.
  private static final int WRITERS = 2;

  /// While somebody has locks on sagas, a batch waits no longer than this for one: it would keep a
  /// writer from those that are free. What was locked is tried again by itself.
  private static final Duration SHORT_WAIT = Duration.ofMillis(200);

  private static final String WAIT_AS_USUAL = "reset lock_timeout";

  /// Who has met a lock expects more of them for so long.
  private static final Duration WARY = Duration.ofSeconds(10);

  private static final String ANEW_WITHIN_SECONDS = "5";

  private static final String SETTINGS =
      """
      select current_setting('server_version_num')::int / 10000,
             current_setting('synchronous_commit'), current_setting('fsync'),
             current_setting('server_encoding'), pg_is_in_recovery()
      """;

  private final PostgresPool pool;
  private final PostgresPool writers;
  private final PostgresPool beats;

  private final PostgresSettings settings;
  private volatile long waryUntil = System.nanoTime();

  private PostgresDatabase(PostgresPool pool, PostgresSettings settings) {
    this.pool = pool;
    this.settings = settings;
    this.writers = PostgresPool.open("tuntas-writer", settings, WRITERS, PLANNED_ONCE);
    this.beats = PostgresPool.open("tuntas-beat", settings, 1, PLANNED_EACH_TIME);
  }

  static PostgresDatabase open(PostgresSettings settings) {
    int others = settings.connectionsMax() - WRITERS - 1;
    var pool = PostgresPool.open("tuntas", settings, others, PLANNED_EACH_TIME);
    try {
      prepare(pool);
      return new PostgresDatabase(pool, settings);
    } catch (SQLException e) {
      pool.close();
      throw PostgresFailures.failed("open the database", Stage.BEFORE_COMMIT, e);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  private static void prepare(PostgresPool pool) throws SQLException {
    try (var connection = pool.first()) {
      refuseUnsafe(connection);
    }
    new Schema(pool.source(), Dialect.POSTGRES, Schema.Wanted.sagas(Dialect.POSTGRES)).migrate();
    pool.closeAll(); // a migration needs more of them than what comes after it
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
    return pool.autocommit(attempted, Stage.BEFORE_COMMIT, work);
  }

  @Override
  <T, X extends Exception> T write(String attempted, Work<T, X> work) throws X {
    return pool.autocommit(attempted, Stage.COMMIT, work);
  }

  @Override
  <T, X extends Exception> T commit(String attempted, Work<T, X> work) throws X {
    return noteLocks(
        () -> writers.autocommit(attempted, Stage.COMMIT, isWary() ? hurried(work) : work));
  }

  @Override
  <T, X extends Exception> T beat(String attempted, Work<T, X> work) throws X {
    return beats.autocommit(attempted, Stage.COMMIT, work);
  }

  @Override
  <T, X extends Exception> T commitTogether(String attempted, Work<T, X> work) throws X {
    return noteLocks(() -> writers.transact(attempted, isWary() ? hurried(work) : work));
  }

  /// A commit as a whole.
  private interface Attempt<T, X extends Exception> {
    T run() throws X;
  }

  private <T, X extends Exception> T noteLocks(Attempt<T, X> commit) throws X {
    try {
      return commit.run();
    } catch (StoreException e) {
      if (e.kind() == Kind.BLOCKED) waryUntil = System.nanoTime() + WARY.toNanos();
      throw e;
    }
  }

  private boolean isWary() {
    return waryUntil - System.nanoTime() > 0;
  }

  /// The same, without a long wait for other people's locks.
  private static <T, X extends Exception> Work<T, X> hurried(Work<T, X> work) {
    return session -> {
      session.update("set lock_timeout = " + SHORT_WAIT.toMillis());
      T result;
      try {
        result = work.run(session);
      } catch (Exception e) {
        waitAsUsual(session, e);
        throw e;
      }
      session.update(WAIT_AS_USUAL);
      return result;
    };
  }

  private static void waitAsUsual(Session session, Exception failure) {
    try {
      session.update(WAIT_AS_USUAL);
    } catch (SQLException e) {
      failure.addSuppressed(e); // a transaction that failed does it by itself
    }
  }

  @Override
  <T, X extends Exception> T transact(String attempted, Work<T, X> work) throws X {
    return pool.transact(attempted, work);
  }

  @Override
  void migrate(Schema.Wanted tables) {
    try {
      new Schema(pool.source(), Dialect.POSTGRES, tables).migrate();
    } catch (SQLException e) {
      throw PostgresFailures.failed("make tables", Stage.BEFORE_COMMIT, e);
    }
  }

  @Override
  boolean canWriteAnew() {
    var limits = new Properties();
    // Both may be in the address.
    if (settings.user() != null) limits.setProperty("user", settings.user());
    if (settings.password() != null) limits.setProperty("password", settings.password());
    limits.setProperty("connectTimeout", ANEW_WITHIN_SECONDS);
    limits.setProperty("socketTimeout", ANEW_WITHIN_SECONDS);
    limits.setProperty("options", "-c lock_timeout=2000 -c synchronous_commit=on");
    try (var connection = DriverManager.getConnection(settings.url(), limits);
        var statement = connection.createStatement()) {
      return statement.executeUpdate("update tuntas_probe set count = count + 1") == 1;
    } catch (SQLException _) {
      return false;
    }
  }

  @Override
  StoreException failure(String attempted, Stage stage, SQLException cause) {
    return pool.failure(attempted, stage, cause);
  }

  @Override
  public void close() {
    beats.close();
    writers.close();
    pool.close();
  }
}
