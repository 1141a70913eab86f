package dev.tuntas.bench;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/// The PostgreSQL server that is measured on: an embedded one with a durable configuration, or an
/// external one. Every contender has a schema of its own.
public final class PostgresServer implements AutoCloseable {

  private static final int LOG_SEGMENTS_MAX = 192;
  private static final int LOG_SEGMENTS_PER_SECOND = 13;

  private static final Duration START_WITHIN = Duration.ofMinutes(2);
  private static final String PREFIX = "tuntas_bench_";

  /// How to reach one schema.
  record Schema(String name, String url, String user, String password) {

    Connection connect() throws SQLException {
      return DriverManager.getConnection(url, user, password);
    }
  }

  private final @Nullable EmbeddedPostgres embedded;
  private final String url;
  private final String user;
  private final String password;
  private final List<String> schemas = new ArrayList<>();

  private PostgresServer(
      @Nullable EmbeddedPostgres embedded, String url, String user, String password) {
    this.embedded = embedded;
    this.url = url;
    this.user = user;
    this.password = password;
  }

  /// Starts a server on loopback with its data in this folder, to be measured for so long.
  static PostgresServer embedded(Path folder, Duration span) throws IOException, SQLException {
    var server =
        EmbeddedPostgres.builder()
            .setDataDirectory(folder)
            .setCleanDataDirectory(true)
            .setRegisterShutdownHook(false)
            .setPGStartupWait(START_WITHIN)
            .setServerConfig("listen_addresses", "localhost")
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("max_wal_size", "4GB")
            .setServerConfig("min_wal_size", "4GB") // the log is used again, never deleted
            .start();
    var url = "jdbc:postgresql://localhost:" + server.getPort() + "/postgres";
    var postgres = new PostgresServer(server, url, "postgres", "");
    postgres.fillLog(span);
    return postgres;
  }

  /// A server that has run for a while writes its log into segments it has used before. A new one
  /// would have to make them while it is measured.
  private void fillLog(Duration span) throws SQLException {
    long segments = Math.min(LOG_SEGMENTS_MAX, LOG_SEGMENTS_PER_SECOND * span.toSeconds());
    for (int i = 0; i < segments; i++) {
      run("select pg_logical_emit_message(false, '', '')", "select pg_switch_wal()");
    }
    run("checkpoint");
  }

  static PostgresServer external(String url) throws SQLException {
    var user = part("user", url, "PGUSER");
    if (user == null) throw new BenchException("--url names no user: add ?user=... or set PGUSER");
    var password = part("password", url, "PGPASSWORD");
    return new PostgresServer(null, url, user, Objects.requireNonNullElse(password, ""));
  }

  /// A part of a URL, as the driver reads it, or else of the environment.
  private static @Nullable String part(String name, String url, String variable)
      throws SQLException {
    for (var property : DriverManager.getDriver(url).getPropertyInfo(url, new Properties())) {
      if (property.name.equals(name) && property.value != null) return property.value;
    }
    return System.getenv(variable);
  }

  public String url() {
    return url;
  }

  public String user() {
    return user;
  }

  /// An empty schema.
  Schema schema(String contender) throws SQLException {
    var name = PREFIX + contender;
    run("drop schema if exists " + name + " cascade", "create schema " + name);
    schemas.add(name);
    var separator = url.contains("?") ? "&" : "?";
    return new Schema(name, url + separator + "currentSchema=" + name, user, password);
  }

  void requireDurable() throws SQLException {
    for (var setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
      if (ask("show " + setting).equals("off")) {
        throw new BenchException(
            "the server has " + setting + " = off: what it writes is not durable");
      }
    }
  }

  private String ask(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(url, user, password);
        var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : "";
    }
  }

  private void run(String... commands) throws SQLException {
    try (var connection = DriverManager.getConnection(url, user, password);
        var statement = connection.createStatement()) {
      for (var command : commands) statement.execute(command);
    }
  }

  @Override
  public void close() {
    try {
      if (embedded != null) embedded.close();
      else for (var name : schemas) run("drop schema if exists " + name + " cascade");
    } catch (IOException | SQLException e) {
      System.err.println("tuntas bench: could not clear PostgreSQL: " + e);
    }
  }
}
