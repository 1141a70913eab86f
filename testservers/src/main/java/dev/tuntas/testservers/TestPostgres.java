package dev.tuntas.testservers;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A real PostgreSQL, one per test run: from Maven, or an external one that
/// `-Dtuntas.test.pg.url=jdbc:postgresql://host/db?user=...&password=...` names.
/// `-Dtuntas.test.pg.fsync=on` is for measurements.
public final class TestPostgres {

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
          .setServerConfig("fsync", sync)
          .setServerConfig("full_page_writes", sync)
          .start()
          .getJdbcUrl("postgres", "postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
