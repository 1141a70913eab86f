package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.store.Database.Stage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;
import org.sqlite.SQLiteConfig;

/// Tables as they were at one moment, for one thread. It takes no lock and changes nothing, so it
/// can be read beside a running process as well as without one.
public final class Snapshot implements Tables {

  private static final String SAGAS = "tuntas_schema_history";
  private static final String ALONE = "schema_history";
  private static final int BUSY_MILLIS = 10_000;

  private interface Failing {
    StoreException because(String attempted, Stage stage, SQLException cause);
  }

  private final Session session;
  private final Failing failing;

  private Snapshot(Session session, Failing failing) {
    this.session = session;
    this.failing = failing;
  }

  /// The engine's tables, with those of the application beside them. Empty if there is no database
  /// in the folder; one that Tuntas did not make is refused.
  public static Optional<Snapshot> ofSagas(Path folder) {
    return sqlite(folder, SAGAS);
  }

  /// The tables of a service.
  public static Optional<Snapshot> of(Path folder, TableSet set) {
    return sqlite(folder.resolve(set.name()), ALONE);
  }

  /// The engine's tables, with those of the application beside them. Empty if there are none in the
  /// database.
  public static Optional<Snapshot> ofSagas(PostgresSettings settings) {
    return postgres(settings, "", SAGAS);
  }

  /// The tables of a service.
  public static Optional<Snapshot> of(PostgresSettings settings, TableSet set) {
    return postgres(settings, "-c search_path=" + set.name(), ALONE);
  }

  private static Optional<Snapshot> sqlite(Path folder, String history) {
    var file = folder.resolve("tuntas.db");
    if (!Files.isRegularFile(file)) return Optional.empty();
    var config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(BUSY_MILLIS);
    try {
      var connection = config.createConnection("jdbc:sqlite:" + file);
      var known = "select count(*) from sqlite_schema where type = 'table' and name = ?";
      if (!knows(connection, known, history)) {
        connection.close();
        throw new StoreException(Kind.UNUSABLE, file + " was not made by Tuntas", null);
      }
      return Optional.of(begin(connection, Dialect.SQLITE, SqliteFailures::failed));
    } catch (SQLException e) {
      throw new StoreException(Kind.UNUSABLE, file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static Optional<Snapshot> postgres(
      PostgresSettings settings, String options, String history) {
    var properties = new Properties();
    if (settings.user() != null) properties.setProperty("user", settings.user());
    if (settings.password() != null) properties.setProperty("password", settings.password());
    properties.setProperty("ApplicationName", "tuntas-snapshot");
    properties.setProperty("options", options);
    properties.setProperty("readOnly", "true");
    try {
      var connection = DriverManager.getConnection(settings.url(), properties);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      var known =
          """
          select count(*) from pg_tables
           where schemaname = coalesce(current_schema(), '') and tablename = ?
          """;
      if (!knows(connection, known, history)) {
        connection.close();
        return Optional.empty();
      }
      return Optional.of(begin(connection, Dialect.POSTGRES, PostgresFailures::failed));
    } catch (SQLException e) {
      throw new StoreException(
          Kind.NOT_DONE, settings.address() + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static boolean knows(Connection connection, String query, String table)
      throws SQLException {
    try (var statement = connection.prepareStatement(query)) {
      statement.setString(1, table);
      try (var rows = statement.executeQuery()) {
        return rows.next() && rows.getInt(1) > 0;
      }
    }
  }

  /// A transaction sees the moment of its first look.
  private static Snapshot begin(Connection connection, Dialect dialect, Failing failing)
      throws SQLException {
    connection.setAutoCommit(false);
    try (var statement = connection.createStatement()) {
      statement
          .executeQuery(
              dialect == Dialect.SQLITE
                  ? "select count(*) from sqlite_schema"
                  : "select count(*) from pg_class")
          .close();
    }
    return new Snapshot(new Session(connection, dialect), failing);
  }

  @Override
  public <T> T read(String attempted, Work<T> work) {
    try {
      return work.run(session);
    } catch (SQLException e) {
      throw failing.because(attempted, Stage.BEFORE_COMMIT, e);
    }
  }

  @Override
  public <T> T write(String attempted, Work<T> work) {
    throw new IllegalStateException(attempted + ": a snapshot cannot be written to");
  }

  @Override
  public void close() {
    try {
      session.close();
    } catch (SQLException e) {
      throw failing.because("close a snapshot", Stage.BEFORE_COMMIT, e);
    }
  }
}
