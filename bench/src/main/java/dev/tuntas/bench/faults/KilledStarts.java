package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.StoreKind;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;

/// The server is killed twice in its first start: when it has begun to make its tables, and when it
/// has made more of them.
final class KilledStarts implements Fault {

  private static final Duration TABLES_WITHIN = Duration.ofSeconds(60);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(5);
  private static final String TABLES =
      "select count(*) from information_schema.tables where table_schema = 'public'";

  @Override
  public String name() {
    return "killed-starts";
  }

  @Override
  public String what() {
    return "the server is killed twice while it makes its tables";
  }

  @Override
  public boolean strikes() {
    return false;
  }

  @Override
  public void beforeStart(Rig rig) throws IOException, InterruptedException, SQLException {
    boolean sqlite = rig.store() == StoreKind.SQLITE;
    kill(rig, 1);
    kill(rig, sqlite ? 4 : 14);
  }

  private static void kill(Rig rig, long tables)
      throws IOException, InterruptedException, SQLException {
    var server = rig.launch();
    long end = System.nanoTime() + TABLES_WITHIN.toNanos();
    while (server.isAlive() && count(rig) < tables) {
      if (System.nanoTime() > end) throw new BenchException("the server makes no tables");
      Thread.sleep(LOOK_AGAIN);
    }
    server.kill();
  }

  /// Databases of SQLite, or tables of PostgreSQL.
  private static long count(Rig rig) throws IOException, SQLException {
    if (rig.store() == StoreKind.POSTGRES) {
      return Long.parseLong(Sql.ask(rig.database(), TABLES));
    }
    if (!Files.isDirectory(rig.data())) return 0;
    try (var files = Files.list(rig.data())) {
      return files.filter(folder -> Files.exists(folder.resolve("tuntas.db"))).count();
    }
  }
}
