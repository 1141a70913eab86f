package dev.tuntas.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/// A real PostgreSQL, one per test run: from Maven, or an external one that
/// `-Dtuntas.test.pg.url=jdbc:postgresql://host/db?user=...&password=...` names.
public final class TestPostgres {

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
          .setServerConfig("fsync", "off")
          .setServerConfig("full_page_writes", "off")
          .start()
          .getJdbcUrl("postgres", "postgres");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The URL of a database in which there is nothing yet.
  public static String newDatabase() {
    var name = "tuntas_server_" + ProcessHandle.current().pid() + "_" + COUNT.incrementAndGet();
    try (var connection = DriverManager.getConnection(server());
        var statement = connection.createStatement()) {
      statement.execute("create database " + name + " template template0 encoding 'UTF8'");
    } catch (SQLException e) {
      throw new IllegalStateException("create " + name, e);
    }
    return server().replaceFirst("(//[^/]*/)[^?]*", "$1" + name);
  }
}
