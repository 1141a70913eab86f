package dev.tuntas.store;

import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.store.Database.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where the two databases differ in statements that both run. These are written once, as
/// PostgreSQL reads them; a list is one parameter, in the form `column = any (?)`.
enum Dialect {
  POSTGRES {
    @Override
    String translate(String sql) {
      return sql;
    }

    @Override
    Map<String, String> placeholders() {
      return Map.of(
          "serial",
          "bigint generated always as identity primary key",
          "on_postgres",
          "",
          "on_sqlite",
          "-- ");
    }

    @Override
    void bindList(PreparedStatement statement, int index, Collection<?> values)
        throws SQLException {
      boolean texts = values.stream().anyMatch(String.class::isInstance);
      var array =
          statement.getConnection().createArrayOf(texts ? "text" : "int8", values.toArray());
      statement.setArray(index, array);
    }

    @Override
    Kind kindOf(SQLException failure) {
      return PostgresFailures.kindOf(failure, Stage.BEFORE_COMMIT);
    }
  },
  SQLITE {
    /// There is one writer, so no row is ever locked by another.
    @Override
    String translate(String sql) {
      return sql.replace("= any (?)", "in (select value from json_each(?))")
          .replace("for update of s skip locked", "")
          .replace("for update", "");
    }

    @Override
    Map<String, String> placeholders() {
      return Map.of(
          "serial", "integer primary key autoincrement", "on_postgres", "-- ", "on_sqlite", "");
    }

    @Override
    void bindList(PreparedStatement statement, int index, Collection<?> values)
        throws SQLException {
      statement.setString(index, JsonArray.of(values));
    }

    @Override
    Kind kindOf(SQLException failure) {
      return SqliteFailures.kindOf(failure, Stage.BEFORE_COMMIT);
    }
  };

  abstract String translate(String sql);

  /// What differs in statements that make tables: `${serial}` is a primary key that counts itself
  /// up; a line that begins with `${on_sqlite}` or `${on_postgres}` is for that one only.
  abstract Map<String, String> placeholders();

  /// A script on the class path that makes or changes tables, with what differs filled in; null if
  /// there is none.
  @Nullable String script(String path) {
    try (var in = Dialect.class.getClassLoader().getResourceAsStream(path)) {
      if (in == null) return null;
      var script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (var entry : placeholders().entrySet()) {
        script = script.replace("${" + entry.getKey() + "}", entry.getValue());
      }
      return script;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Binds numbers or strings. An empty list counts as one of numbers.
  abstract void bindList(PreparedStatement statement, int index, Collection<?> values)
      throws SQLException;

  /// What the failure of a statement says, before anything was asked to commit.
  abstract Kind kindOf(SQLException failure);
}
