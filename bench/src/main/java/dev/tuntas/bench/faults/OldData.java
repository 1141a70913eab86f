package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.server.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipInputStream;

/// The server finds data that an older build has left when it was killed, with orders under way,
/// and is killed twice itself in the middle of its migration.
final class OldData implements Fault {

  private static final String FILES = "data-2026-11-18.zip";
  private static final String DUMP = "postgres-2026-11-18.sql.gz";

  /// Tables that the migration makes, one after the other, in one transaction.
  private static final List<String> NEW_TABLES = List.of("tuntas_clock", "tuntas_probe");

  private static final int SQLITE_BUSY = 5;
  private static final int KILLS = 2;
  private static final int ATTEMPTS = 10;
  private static final Duration MIGRATES_WITHIN = Duration.ofSeconds(60);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(1);

  @Override
  public String name() {
    return "old-data";
  }

  @Override
  public String what() {
    return "data of an older build, and two kills in the middle of its migration";
  }

  @Override
  public boolean strikes() {
    return false;
  }

  @Override
  public void prepare(Rig rig) throws IOException {
    if (rig.store() == StoreKind.SQLITE) unpack(rig);
  }

  private static InputStream resource(String name) {
    var resource = OldData.class.getResourceAsStream(name);
    if (resource == null) throw new BenchException("there is no " + name);
    return resource;
  }

  private static void unpack(Rig rig) throws IOException {
    try (var zip = new ZipInputStream(resource(FILES))) {
      for (var entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        var file = rig.folder().resolve(entry.getName());
        if (entry.isDirectory()) Files.createDirectories(file);
        else {
          Files.createDirectories(file.getParent());
          Files.copy(zip, file);
        }
      }
    }
  }

  @Override
  public void beforeStart(Rig rig) throws IOException, InterruptedException, SQLException {
    if (rig.store() == StoreKind.POSTGRES) {
      try (var dump = new GZIPInputStream(resource(DUMP))) {
        Sql.run(rig.database(), new String(dump.readAllBytes(), StandardCharsets.UTF_8));
      }
      for (var table : NEW_TABLES) killWhileItMakes(rig, table);
    } else {
      for (int i = 0; i < KILLS; i++) killWhileItMigrates(rig);
    }
  }

  /// Somebody else makes the same table and does not commit: so the migration stands still where it
  /// would make its own.
  private static void killWhileItMakes(Rig rig, String table)
      throws InterruptedException, SQLException {
    try (var other = DriverManager.getConnection(rig.database());
        var statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("create table " + table + " (id int)");
      var server = rig.launch();
      var waits =
          "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
              + " and query like '%create table "
              + table
              + " %'";
      long end = System.nanoTime() + MIGRATES_WITHIN.toNanos();
      while (Sql.ask(rig.database(), waits).equals("0")) {
        requireLife(server, end);
        Thread.sleep(LOOK_AGAIN);
      }
      server.kill();
      other.rollback();
    }
    var first = "select count(*) from pg_tables where tablename = '" + NEW_TABLES.getFirst() + "'";
    if (!Sql.ask(rig.database(), first).equals("0")) {
      throw new BenchException("a migration that was killed has left a table");
    }
  }

  private static void requireLife(ServerProcess server, long end) {
    if (!server.isAlive() || System.nanoTime() > end) {
      throw new BenchException("the server does not migrate the data");
    }
  }

  /// It is killed in its first transaction. Should that have been over already, it begins with the
  /// same data again.
  private static void killWhileItMigrates(Rig rig)
      throws IOException, InterruptedException, SQLException {
    for (int i = 0; i < ATTEMPTS; i++) {
      var server = rig.launch();
      try {
        awaitTransaction(rig, server);
      } finally {
        server.kill();
      }
      if (!isMigrated(rig)) return;
      try (var files = Files.walk(rig.data())) {
        for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
      }
      unpack(rig);
    }
    throw new BenchException("the migration was always over before it was seen");
  }

  private static Path database(Rig rig) {
    return rig.data().resolve("orders/tuntas.db");
  }

  /// Waits until the server has opened its database, and has then taken the lock of writers.
  private static void awaitTransaction(Rig rig, ServerProcess server)
      throws InterruptedException, SQLException {
    long end = System.nanoTime() + MIGRATES_WITHIN.toNanos();
    while (!Files.exists(Path.of(database(rig) + "-shm"))) {
      requireLife(server, end);
      Thread.sleep(LOOK_AGAIN);
    }
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + database(rig));
        var statement = connection.createStatement()) {
      statement.execute("pragma busy_timeout = 0");
      boolean wasFree = false;
      for (boolean free = isFree(statement); free || !wasFree; free = isFree(statement)) {
        wasFree |= free;
        requireLife(server, end);
        Thread.sleep(LOOK_AGAIN);
      }
    }
  }

  private static boolean isFree(Statement statement) throws SQLException {
    try {
      statement.execute("begin immediate");
    } catch (SQLException e) {
      if (e.getErrorCode() == SQLITE_BUSY) return false;
      throw e;
    }
    statement.execute("rollback");
    return true;
  }

  private static boolean isMigrated(Rig rig) throws SQLException {
    var made = "select count(*) from sqlite_master where name = '" + NEW_TABLES.getFirst() + "'";
    return !Sql.ask("jdbc:sqlite:" + database(rig), made).equals("0");
  }
}
