package dev.tuntas.support;

import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// A real PostgreSQL, one per test run: from Maven, or an external one that
/// `-Dtuntas.test.pg.url=jdbc:postgresql://host/db?user=...&password=...` names.
public final class TestPostgres {

  private static final String EMPTY =
      """
      truncate support_note, support_refund, support_ticket, support_cause, support_budget,
        support_delivery restart identity
      """;

  private static @Nullable Tables shared;
  private static @Nullable String server;

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

  /// The support desk's tables, with nothing in them. All tests share them, one after the other.
  public static synchronized Tables tables() {
    if (shared == null) shared = open();
    shared.write("empty the tables", session -> session.update(EMPTY));
    return new Lent(shared);
  }

  private static Tables open() {
    var name = "support_test_" + ProcessHandle.current().pid();
    try (var connection = DriverManager.getConnection(server());
        var statement = connection.createStatement()) {
      statement.execute("create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    var url = server().replaceFirst("(//[^/]*/)[^?]*", "$1" + name);
    return Tables.postgres(PostgresSettings.of(url, null, null), TableSet.of("support"));
  }

  /// Closing them leaves them open for the next test.
  private record Lent(Tables tables) implements Tables {
    @Override
    public <T> T read(String attempted, Work<T> work) {
      return tables.read(attempted, work);
    }

    @Override
    public <T> T write(String attempted, Work<T> work) {
      return tables.write(attempted, work);
    }

    @Override
    public void close() {}
  }
}
