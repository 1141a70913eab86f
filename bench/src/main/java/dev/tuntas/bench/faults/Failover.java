package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.cluster.PostgresProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A standby that has every commit takes over. The old server lives on, can only be read, and
/// nobody closes the connections to it; new ones go to the new server.
final class Failover implements Fault {

  private static final Duration IN_STEP_WITHIN = Duration.ofSeconds(30);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
  private static final Duration LAST_COMMITS = Duration.ofSeconds(1);

  private @Nullable PostgresProcess standby;
  private int standbyPort;

  @Override
  public String name() {
    return "failover";
  }

  @Override
  public String what() {
    return "another PostgreSQL takes over, the old one can only be read";
  }

  @Override
  public Set<StoreKind> stores() {
    return Set.of(StoreKind.POSTGRES);
  }

  @Override
  public Set<Part> parts() {
    return Set.of(Part.DATABASE_WIRE);
  }

  @Override
  public Duration lasts() {
    return Duration.ZERO;
  }

  @Override
  public void beforeStart(Rig rig) throws IOException, InterruptedException, SQLException {
    var folder = rig.folder().resolve("standby");
    copy(rig.database(), rig.postgresData(), folder);
    Files.createFile(folder.resolve("standby.signal"));
    Files.writeString(
        folder.resolve("postgresql.auto.conf"),
        "primary_conninfo = 'host=127.0.0.1 port=%d user=postgres'%n".formatted(rig.postgresPort()),
        StandardOpenOption.APPEND);
    standbyPort = rig.freePort();
    standby =
        PostgresProcess.start(
            folder, rig.folder().resolve("standby.log"), standbyPort, rig.guardian(), Map.of());
    Sql.run(
        rig.database(),
        "alter system set synchronous_standby_names = '*'",
        "select pg_reload_conf()");
    await(rig.database(), "select count(*) = 1 from pg_stat_replication where sync_state = 'sync'");
  }

  /// As `pg_basebackup` does, which the artifact does not have.
  private static void copy(String url, Path from, Path to) throws IOException, SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      statement.execute("select pg_backup_start('standby', true)");
      copy(from, to);
      try (var row = statement.executeQuery("select labelfile from pg_backup_stop(false)")) {
        row.next();
        Files.writeString(to.resolve("backup_label"), row.getString(1));
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (var files = Files.walk(from)) {
      for (var file : files.toList()) {
        var name = file.getFileName().toString();
        if (name.startsWith("postmaster.") || name.equals("epg-lock")) continue;
        var copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) Files.createDirectories(copy);
        else if (Files.exists(file)) Files.copy(file, copy);
      }
    }
    Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwx------"));
  }

  private static void await(String url, String query) throws SQLException, InterruptedException {
    long end = System.nanoTime() + IN_STEP_WITHIN.toNanos();
    while (!Sql.ask(url, query).equals("t")) {
      if (System.nanoTime() > end) throw new BenchException("this never became true: " + query);
      Thread.sleep(LOOK_AGAIN);
    }
  }

  @Override
  public void inject(Rig rig) throws SQLException, InterruptedException {
    var next = standby;
    if (next == null) throw new IllegalStateException("there is no standby");
    Sql.readOnly(rig.database(), true);
    Thread.sleep(LAST_COMMITS);
    Sql.run(next.url(), "select pg_promote(true)");
    Sql.run(next.url(), "alter system reset synchronous_standby_names", "select pg_reload_conf()");
    rig.failOver(next, standbyPort);
  }
}
