package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.StoreKind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Somebody else takes all connections of PostgreSQL, those of the server too: whatever it loses is
/// taken before it can come back.
final class ConnectionsExhausted implements Fault {

  private static final String CONNECTIONS_MAX = "60";
  private static final int HOGS = 6;
  private static final Duration TRY_AGAIN = Duration.ofMillis(1);
  private static final Duration FULL_WITHIN = Duration.ofSeconds(10);
  private static final String END_THE_OTHERS =
      "select pg_terminate_backend(pid) from pg_stat_activity"
          + " where backend_type = 'client backend' and application_name <> 'hog'";

  private final ConcurrentLinkedQueue<Connection> taken = new ConcurrentLinkedQueue<>();
  private final List<Thread> hogs = new ArrayList<>();
  private final CountDownLatch none = new CountDownLatch(1);
  private volatile boolean greedy;

  @Override
  public String name() {
    return "connections-exhausted";
  }

  @Override
  public String what() {
    return "somebody else takes all connections of PostgreSQL";
  }

  @Override
  public Set<StoreKind> stores() {
    return Set.of(StoreKind.POSTGRES);
  }

  @Override
  public Duration lasts() {
    return Duration.ofSeconds(20);
  }

  @Override
  public boolean isSeen() {
    return true;
  }

  @Override
  public void prepare(Rig rig) {
    rig.postgresSetting("max_connections", CONNECTIONS_MAX);
  }

  @Override
  public void inject(Rig rig) throws SQLException, InterruptedException {
    var url = rig.database() + "&ApplicationName=hog";
    var first = DriverManager.getConnection(url);
    taken.add(first);
    greedy = true;
    for (int i = 0; i < HOGS; i++) {
      hogs.add(Thread.ofPlatform().daemon().name("hog").start(() -> take(url)));
    }
    if (!none.await(FULL_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new BenchException("PostgreSQL still has connections for somebody else");
    }
    try (var statement = first.createStatement()) {
      statement.execute(END_THE_OTHERS);
    }
  }

  private void take(String url) {
    try {
      while (greedy) {
        try {
          taken.add(DriverManager.getConnection(url));
        } catch (SQLException _) {
          none.countDown();
          Thread.sleep(TRY_AGAIN);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void heal(Rig rig) throws InterruptedException, SQLException {
    greedy = false;
    for (var hog : hogs) hog.join();
    for (var connection : taken) connection.close();
    taken.clear();
  }
}
