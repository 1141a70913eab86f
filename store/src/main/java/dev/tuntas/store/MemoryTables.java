package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.store.Database.Stage;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/// Tables that are gone when they are closed. They are made without the machinery of migrations, so
/// that a simulation can have thousands of them.
final class MemoryTables implements Tables {

  private final Session session;

  private MemoryTables(Session session) {
    this.session = session;
  }

  static MemoryTables open(TableSet set) {
    try {
      var config = new SQLiteConfig();
      config.enforceForeignKeys(true);
      config.setGetGeneratedKeys(false);
      var connection = config.createConnection("jdbc:sqlite::memory:");
      create(connection, set);
      return new MemoryTables(new Session(connection, Dialect.SQLITE));
    } catch (SQLException e) {
      throw failed("make tables of " + set.name(), e);
    }
  }

  /// Migrations are numbered from 1 without gaps.
  private static void create(Connection connection, TableSet set) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (int version = 1; ; version++) {
        var script = script(set, version);
        if (script == null) return;
        statement.executeUpdate(script);
      }
    }
  }

  private static @Nullable String script(TableSet set, int version) {
    var path = set.location() + "/V" + version + "__" + set.name() + ".sql";
    var script = Dialect.SQLITE.script(path);
    if (script == null && version == 1) {
      throw new StoreException(Kind.UNUSABLE, "there is no " + path, null);
    }
    return script;
  }

  private static StoreException failed(String attempted, SQLException cause) {
    return SqliteFailures.failed(attempted, Stage.BEFORE_COMMIT, cause);
  }

  @Override
  public synchronized <T> T read(String attempted, Work<T> work) {
    try {
      return work.run(session);
    } catch (SQLException e) {
      throw failed(attempted, e);
    }
  }

  @Override
  public synchronized <T> T write(String attempted, Work<T> work) {
    boolean done = false;
    try {
      session.update("begin");
      var result = work.run(session);
      session.update("commit");
      done = true;
      return result;
    } catch (SQLException e) {
      throw failed(attempted, e);
    } finally {
      if (!done) rollBack();
    }
  }

  private void rollBack() {
    try {
      session.update("rollback");
    } catch (SQLException _) {
      // SQLite has rolled back by itself
    }
  }

  @Override
  public synchronized void close() {
    try {
      session.close();
    } catch (SQLException e) {
      throw failed("close", e);
    }
  }
}
