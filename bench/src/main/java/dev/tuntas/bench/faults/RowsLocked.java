package dev.tuntas.bench.faults;

import dev.tuntas.bench.StoreKind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Somebody else keeps a lock on what the server wants to write: on PostgreSQL on the rows of some
/// orders that are under way, on SQLite on the whole database.
final class RowsLocked implements Fault {

  /// One after the other, so that writers meet new ones again and again. Most orders are free.
  private static final String LOCK_SOME =
      "select id from tuntas_saga where status in ('R', 'W')"
          + " order by created_at desc limit 1 for update skip locked";

  private static final Duration EVERY = Duration.ofSeconds(1);

  private static final double REFUSED_SHARE_MAX = 0.1;

  private @Nullable Connection other;
  private @Nullable Thread locker;

  @Override
  public String name() {
    return "rows-locked";
  }

  @Override
  public String what() {
    return "somebody else keeps locks on what the server wants to write";
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(20);
  }

  @Override
  public void inject(Rig rig) throws SQLException {
    boolean sqlite = rig.store() == StoreKind.SQLITE;
    var url = sqlite ? "jdbc:sqlite:" + rig.data().resolve("orders/tuntas.db") : rig.database();
    var connection = DriverManager.getConnection(url);
    other = connection;
    if (sqlite) {
      try (var statement = connection.createStatement()) {
        statement.execute("pragma busy_timeout = 10000");
        statement.execute("begin immediate");
      }
      return;
    }
    connection.setAutoCommit(false);
    locker = Thread.ofPlatform().daemon().name("locker").start(() -> lockMore(connection));
  }

  private static void lockMore(Connection connection) {
    try (var statement = connection.createStatement()) {
      while (true) {
        statement.execute(LOCK_SOME);
        Thread.sleep(EVERY);
      }
    } catch (SQLException | InterruptedException _) {
      // healed
    }
  }

  @Override
  public List<String> check(Rig rig, Sightings during) {
    return rig.store() == StoreKind.SQLITE || during.refusedShare() <= REFUSED_SHARE_MAX
        ? List.of()
        : List.of("Orders that nobody had locked were held up too.");
  }

  @Override
  public void heal(Rig rig) throws SQLException, InterruptedException {
    if (locker != null) {
      locker.interrupt();
      locker.join();
    }
    if (other != null) other.close();
  }
}
