package dev.tuntas.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/// A real PostgreSQL, one per test run: from Maven, or an external one that
/// `-Dtuntas.test.pg.url=jdbc:postgresql://host/db?user=...&password=...` names.
final class TestPostgres {

  private static final AtomicInteger COUNT = new AtomicInteger();
  private static String server;

  private TestPostgres() {}

  private static synchronized String server() {
    if (server == null) server = System.getProperty("tuntas.test.pg.url");
    if (server == null) server = start();
    return server;
  }

  private static String start() {
    try {
      return EmbeddedPostgres.builder()
          .setServerConfig("fsync", System.getProperty("tuntas.test.pg.fsync", "off"))
          .setServerConfig("full_page_writes", System.getProperty("tuntas.test.pg.fsync", "off"))
          .setServerConfig("max_connections", "100")
          .start()
          .getJdbcUrl("postgres", "postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The URL of a database in which there is nothing yet.
  static String newDatabase() throws SQLException {
    var name = "tuntas_test_" + ProcessHandle.current().pid() + "_" + COUNT.incrementAndGet();
    execute(server(), "create database " + name + " template template0 encoding 'UTF8'");
    return server().replaceFirst("(//[^/]*/)[^?]*", "$1" + name);
  }

  static void drop(String url) throws SQLException {
    var name = url.replaceFirst(".*//[^/]*/([^?]*).*", "$1");
    execute(server(), "drop database " + name + " with (force)");
  }

  static Connection connect(String url) throws SQLException {
    return DriverManager.getConnection(url);
  }

  static void execute(String url, String sql) throws SQLException {
    try (var connection = connect(url);
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static PostgresSettings settings(String url) {
    return PostgresSettings.of(url, null, null);
  }
}
