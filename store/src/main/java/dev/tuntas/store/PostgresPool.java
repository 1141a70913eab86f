package dev.tuntas.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tuntas.engine.StoreException;
import dev.tuntas.store.Database.Stage;
import dev.tuntas.store.Database.Work;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;

/// Connections to PostgreSQL that are lent and come back. One that failed does not come back: the
/// pool closes those that were lost, and we close all that lead to a server which may no longer be
/// written to.
final class PostgresPool implements AutoCloseable {

  /// The batch statement chooses its own way and is planned once per connection. Everything else is
  /// planned for its values, because a plan made without statistics may be a full scan.
  static final String PLANNED_ONCE = "-c plan_cache_mode=force_generic_plan";

  static final String PLANNED_EACH_TIME = "-c plan_cache_mode=force_custom_plan";

  /// An older one is refused: see [PostgresDatabase].
  private static final String OLDEST_SERVER = "15";

  /// An answer that comes later than this after the statement timeout will not come.
  private static final int SOCKET_GRACE_SECONDS = 5;

  private static final Duration IDLE_MAX = Duration.ofMinutes(1);

  /// The pool takes no shorter time.
  private static final int POOL_WAIT_MILLIS_MIN = 250;

  /// While a server refuses to be written to, its connections are made anew once in this time.
  private static final long BETWEEN_RENEWALS_NANOS = Duration.ofSeconds(2).toNanos();

  private final HikariDataSource source;
  private final String address;
  private final OneConnection one = new OneConnection();
  private final AtomicLong renewedAt = new AtomicLong(System.nanoTime() - BETWEEN_RENEWALS_NANOS);

  private PostgresPool(HikariDataSource source, String address) {
    this.source = source;
    this.address = address;
  }

  static PostgresPool open(
      String name, PostgresSettings settings, int connections, String planning) {
    var config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setMaximumPoolSize(connections);
    // A process has several pools, and a server few connections: they are made when they are
    // needed, and closed when nobody has used them for a while.
    config.setInitializationFailTimeout(-1);
    config.setMinimumIdle(0);
    config.setIdleTimeout(IDLE_MAX.toMillis());
    // The server's details quote the row, and end up in logs.
    config.addDataSourceProperty("logServerErrorDetail", "false");
    config.setConnectionTimeout(
        Math.max(POOL_WAIT_MILLIS_MIN, settings.connectTimeout().toMillis()));
    config.addDataSourceProperty("ApplicationName", name);
    // Otherwise each new connection waits once more for the server, only to say its name.
    config.addDataSourceProperty("assumeMinServerVersion", OLDEST_SERVER);
    config.addDataSourceProperty("options", planning + options(settings));
    config.addDataSourceProperty("connectTimeout", seconds(settings.connectTimeout()));
    config.addDataSourceProperty(
        "socketTimeout", seconds(settings.statementTimeout()) + SOCKET_GRACE_SECONDS);
    config.addDataSourceProperty("tcpKeepAlive", true);
    config.addDataSourceProperty("prepareThreshold", 1);
    return new PostgresPool(new HikariDataSource(config), settings.address());
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

  /// The first connection, which shows that there can be others.
  Connection first() {
    try {
      return source.getConnection();
    } catch (SQLException e) {
      throw PostgresFailures.failed("connect to " + address, Stage.BEFORE_COMMIT, e);
    }
  }

  /// For migrations.
  DataSource source() {
    return source;
  }

  int size() {
    return source.getMaximumPoolSize();
  }

  /// How long somebody waits for a connection.
  Duration patience() {
    return Duration.ofMillis(source.getConnectionTimeout());
  }

  /// Runs work whose statements are transactions of their own.
  <T, X extends Exception> T autocommit(String attempted, Stage stage, Work<T, X> work) throws X {
    one.take(attempted);
    try (var connection = connect(attempted)) {
      return work.run(new Session(connection, Dialect.POSTGRES));
    } catch (SQLException e) {
      throw failure(attempted, stage, e);
    } finally {
      one.giveBack();
    }
  }

  /// Runs work in one transaction.
  <T, X extends Exception> T transact(String attempted, Work<T, X> work) throws X {
    var stage = Stage.BEFORE_COMMIT;
    one.take(attempted);
    try (var connection = connect(attempted)) {
      connection.setAutoCommit(false); // the pool rolls back what was not committed
      var result = work.run(new Session(connection, Dialect.POSTGRES));
      stage = Stage.COMMIT;
      connection.commit();
      return result;
    } catch (SQLException e) {
      throw failure(attempted, stage, e);
    } finally {
      one.giveBack();
    }
  }

  private Connection connect(String attempted) {
    try {
      return source.getConnection();
    } catch (SQLException e) {
      throw PostgresFailures.failed(attempted, Stage.BEFORE_COMMIT, e);
    }
  }

  StoreException failure(String attempted, Stage stage, SQLException cause) {
    if (PostgresFailures.isReadOnly(cause)) renew();
    return PostgresFailures.failed(attempted, stage, cause);
  }

  /// Closes every connection, those in use when they come back: after a failover they would lead to
  /// the old server for ever, and show what was true there.
  private void renew() {
    long last = renewedAt.get();
    long now = System.nanoTime();
    if (now - last < BETWEEN_RENEWALS_NANOS || !renewedAt.compareAndSet(last, now)) return;
    closeAll();
  }

  /// Closes the connections, those in use when they come back. Others are made when they are
  /// needed.
  void closeAll() {
    source.getHikariPoolMXBean().softEvictConnections();
  }

  @Override
  public void close() {
    source.close();
  }
}
