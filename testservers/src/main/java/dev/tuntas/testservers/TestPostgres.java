package dev.tuntas.testservers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A real PostgreSQL, one per test run: from Maven, or an external one that
/// `-Dtuntas.test.pg.url=jdbc:postgresql://host/db?user=...&password=...` names.
/// `-Dtuntas.test.pg.fsync=on` is for measurements.
public final class TestPostgres {

  private static final Path IN_MEMORY = Path.of("/dev/shm");
  private static final Duration START_WITHIN = Duration.ofMinutes(2);
  private static final String PREFIX = "tuntas-test-postgres-";
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static @Nullable String server;

  private TestPostgres() {}

  private static synchronized String server() {
    if (server == null) server = System.getProperty("tuntas.test.pg.url");
    if (server == null) server = start();
    return server;
  }

  private static String start() {
    var sync = System.getProperty("tuntas.test.pg.fsync", "off");
    try {
      return EmbeddedPostgres.builder()
          .setDataDirectory(folder(sync.equals("on")))
          .setServerConfig("fsync", sync)
          .setServerConfig("full_page_writes", sync)
          .setPGStartupWait(START_WITHIN)
          .start()
          .getJdbcUrl("postgres", "postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// In memory where the system has a folder for that: a database is hundreds of files, and on a
  /// disk that is in use each takes up to a millisecond to make. What measures wants the disk.
  private static Path folder(boolean onDisk) throws IOException {
    var parent =
        onDisk || !Files.isWritable(IN_MEMORY)
            ? Files.createDirectories(Path.of("target"))
            : IN_MEMORY;
    clearAfterOthers(parent);
    return Files.createDirectory(parent.resolve(PREFIX + ProcessHandle.current().pid()));
  }

  /// A process that was killed could not do it.
  private static void clearAfterOthers(Path parent) throws IOException {
    try (var folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (var folder : folders) {
        long pid = Long.parseLong(folder.getFileName().toString().substring(PREFIX.length()));
        if (ProcessHandle.of(pid).isEmpty()) delete(folder);
      }
    }
  }

  /// What goes while it is looked at is deleted by another process.
  private static void delete(Path folder) throws IOException {
    try (var tree = Files.walk(folder)) {
      for (var path : tree.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(path);
    } catch (NoSuchFileException _) {
      // all of it
    } catch (UncheckedIOException e) {
      if (!(e.getCause() instanceof NoSuchFileException)) throw e;
    }
  }

  /// The URL of a database in which there is nothing yet.
  public static String newDatabase() {
    var name = "tuntas_test_" + ProcessHandle.current().pid() + "_" + COUNT.incrementAndGet();
    try {
      execute(server(), "create database " + name + " template template0 encoding 'UTF8'");
    } catch (SQLException e) {
      throw new IllegalStateException("create " + name, e);
    }
    return server().replaceFirst("(//[^/]*/)[^?]*", "$1" + name);
  }

  public static void drop(String url) throws SQLException {
    var name = url.replaceFirst(".*//[^/]*/([^?]*).*", "$1");
    execute(server(), "drop database " + name + " with (force)");
  }

  public static Connection connect(String url) throws SQLException {
    return DriverManager.getConnection(url);
  }

  public static void execute(String url, String sql) throws SQLException {
    try (var connection = connect(url);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
