package dev.tuntas.store;

import dev.tuntas.engine.StoreException.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A connection that prepares every statement once. A statement that failed is never used again:
/// the driver may have closed it, or it may hold values of the failed attempt. For one thread at a
/// time. Statements are written as PostgreSQL reads them; a list is one parameter, in the form
/// `column = any (?)`.
public final class Session implements AutoCloseable {

  /// Makes a value of one row.
  @FunctionalInterface
  public interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  @FunctionalInterface
  interface Use<T> {
    T of(PreparedStatement statement) throws SQLException;
  }

  /// One that left the value as it is would not be written.
  private static final String PROOF_ON_SQLITE =
      "update schema_history set execution_time = execution_time + 1 where installed_rank ="
          + " (select min(installed_rank) from schema_history)";

  /// Refused where only reading is allowed; a message for nobody goes to the disk.
  private static final String PROOF_ON_POSTGRES =
      """
      with nothing as (
        update schema_history set success = success where false returning success)
      select pg_logical_emit_message(true, 'tuntas', '')
      """;

  private final Connection connection;
  private final Dialect dialect;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private final boolean own;
  private boolean doubtful;

  Session(Connection connection, Dialect dialect) {
    this(connection, dialect, true);
  }

  private Session(Connection connection, Dialect dialect, boolean own) {
    this.connection = connection;
    this.dialect = dialect;
    this.own = own;
  }

  /// A session on a connection of the caller's; closing it leaves the connection open.
  static Session lent(Connection callers, Dialect dialect) {
    return new Session(callers, dialect, false);
  }

  Connection connection() {
    return connection;
  }

  /// Uses the statement for a text of the common form: see [Dialect].
  <T> T with(String sql, Use<T> use) throws SQLException {
    boolean done = false;
    try {
      var result = use.of(prepare(sql));
      done = true;
      return result;
    } catch (SQLException e) {
      failed(e);
      throw e;
    } finally {
      if (!done) discard(sql);
    }
  }

  private PreparedStatement prepare(String sql) throws SQLException {
    var known = prepared.get(sql);
    if (known != null) return known;
    var statement = connection.prepareStatement(dialect.translate(sql));
    prepared.put(sql, statement);
    return statement;
  }

  private void discard(String sql) {
    var statement = prepared.remove(sql);
    if (statement == null) return;
    try {
      statement.close();
    } catch (SQLException _) {
      // it failed already
    }
  }

  /// Notes that something failed on the connection. Only if the values were at fault can the
  /// connection be trusted as before.
  void failed(SQLException failure) {
    doubtful |= dialect.kindOf(failure) != Kind.BAD_DATA;
  }

  /// Whether the connection should be replaced before others use it: what it has cached may be as
  /// wrong as what failed.
  boolean isDoubtful() {
    return doubtful;
  }

  /// Runs a statement with its values: texts, numbers, times, lists or null. Returns how many rows
  /// it changed.
  public int update(String sql, @Nullable Object... values) throws SQLException {
    return with(sql, statement -> bound(statement, values).executeUpdate());
  }

  /// Writes something that means nothing and locks nothing that others want.
  boolean prove() throws SQLException {
    return switch (dialect) {
      case SQLITE -> update(PROOF_ON_SQLITE) == 1;
      case POSTGRES -> first(PROOF_ON_POSTGRES, _ -> true).isPresent();
    };
  }

  /// Runs a statement once for each row of values, without waiting for the database in between.
  /// Returns how many rows each changed.
  public int[] updateEach(String sql, List<? extends List<? extends @Nullable Object>> rows)
      throws SQLException {
    if (rows.isEmpty()) return new int[0];
    return with(
        sql,
        statement -> {
          for (var row : rows) {
            for (int i = 0; i < row.size(); i++) bind(statement, i + 1, row.get(i));
            statement.addBatch();
          }
          return statement.executeBatch();
        });
  }

  public <T> List<T> list(String sql, RowReader<T> reader, @Nullable Object... values)
      throws SQLException {
    return with(
        sql,
        statement -> {
          try (var rows = bound(statement, values).executeQuery()) {
            var list = new ArrayList<T>();
            while (rows.next()) list.add(reader.read(rows));
            return list;
          }
        });
  }

  public <T> Optional<T> first(String sql, RowReader<T> reader, @Nullable Object... values)
      throws SQLException {
    return with(
        sql,
        statement -> {
          try (var rows = bound(statement, values).executeQuery()) {
            return rows.next() ? Optional.ofNullable(reader.read(rows)) : Optional.<T>empty();
          }
        });
  }

  /// A statement that returns texts, with its values.
  record Query(String sql, List<? extends @Nullable Object> values) {}

  /// Runs statements one after the other, and waits for the database only once where it takes
  /// several at a time. Returns what each returned.
  List<List<String>> listAll(List<Query> queries) throws SQLException {
    if (dialect == Dialect.SQLITE || queries.size() == 1) {
      var lists = new ArrayList<List<String>>(queries.size());
      for (var query : queries) {
        lists.add(list(query.sql, row -> row.getString(1), query.values.toArray()));
      }
      return lists;
    }
    var values = new ArrayList<@Nullable Object>();
    for (var query : queries) values.addAll(query.values);
    return with(
        String.join(";\n", queries.stream().map(Query::sql).toList()),
        statement -> {
          bound(statement, values.toArray()).execute();
          var lists = new ArrayList<List<String>>(queries.size());
          for (int i = 0; i < queries.size(); i++) {
            if (i > 0) statement.getMoreResults();
            lists.add(texts(statement));
          }
          return lists;
        });
  }

  private static List<String> texts(PreparedStatement statement) throws SQLException {
    try (var rows = statement.getResultSet()) {
      var texts = new ArrayList<String>();
      while (rows.next()) texts.add(rows.getString(1));
      return texts;
    }
  }

  private PreparedStatement bound(PreparedStatement statement, @Nullable Object... values)
      throws SQLException {
    for (int i = 0; i < values.length; i++) bind(statement, i + 1, values[i]);
    return statement;
  }

  /// A time that may be null.
  public static @Nullable Instant time(ResultSet row, int column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? null : Instant.ofEpochMilli(millis);
  }

  private void bind(PreparedStatement statement, int index, @Nullable Object value)
      throws SQLException {
    switch (value) {
      case Instant time -> statement.setLong(index, time.toEpochMilli());
      case Integer number -> statement.setInt(index, number);
      case Long number -> statement.setLong(index, number);
      case Boolean yes -> statement.setBoolean(index, yes);
      case Collection<?> list -> dialect.bindList(statement, index, list);
      case null -> statement.setNull(index, Types.NULL); // of whatever type the column is
      default -> statement.setString(index, (String) value);
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      for (var statement : prepared.values()) statement.close();
    } finally {
      if (own) connection.close();
    }
  }
}
