package dev.tuntas.store;

import dev.tuntas.store.Session.Query;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Inserts up to 64 rows with one statement, on both databases: where the database is far away,
/// each statement is a wait.
public final class Bulk {

  private static final int ROWS_MAX = 64;

  private final String table;
  private final List<String> columns;
  private final String returning;

  /// Into a table with a key; rows whose key is known are left out. `returning` names the column
  /// that tells which were inserted.
  public Bulk(String table, String returning, String... columns) {
    this.table = table;
    this.returning = returning;
    this.columns = List.of(columns);
  }

  /// Rows that go into one table.
  public record Rows(Bulk into, List<? extends List<? extends @Nullable Object>> rows) {

    private @Nullable Query query(int from) {
      if (from >= rows.size()) return null;
      return into.query(rows.subList(from, Math.min(from + ROWS_MAX, rows.size())));
    }
  }

  /// Inserts the rows in this order. Returns the `returning` values of those that were new.
  public List<String> insert(Session session, List<? extends List<? extends @Nullable Object>> rows)
      throws SQLException {
    return insertAll(session, new Rows(this, rows)).getFirst();
  }

  /// Inserts rows into several tables. PostgreSQL is waited for only once, if each has 64 rows at
  /// most. Returns for each table what [#insert] does.
  public static List<List<String>> insertAll(Session session, Rows... tables) throws SQLException {
    var inserted = new ArrayList<List<String>>(tables.length);
    for (var table : tables) inserted.add(new ArrayList<>(table.rows.size()));
    int most = Arrays.stream(tables).mapToInt(table -> table.rows.size()).max().orElse(0);
    for (int from = 0; from < most; from += ROWS_MAX) {
      var queries = new ArrayList<Query>(tables.length);
      var answers = new ArrayList<List<String>>(tables.length);
      for (int i = 0; i < tables.length; i++) {
        var query = tables[i].query(from);
        if (query == null) continue;
        queries.add(query);
        answers.add(inserted.get(i));
      }
      var lists = session.listAll(queries);
      for (int i = 0; i < lists.size(); i++) answers.get(i).addAll(lists.get(i));
    }
    return inserted;
  }

  private Query query(List<? extends List<? extends @Nullable Object>> rows) {
    int size = atLeast(rows.size());
    var values = new ArrayList<@Nullable Object>(size * columns.size());
    for (var row : rows) values.addAll(row);
    // A row that comes again is known by then, and left out.
    for (int i = rows.size(); i < size; i++) values.addAll(rows.getLast());
    return new Query(sql(size), values);
  }

  /// A power of two, so that only a few statements are ever prepared.
  private static int atLeast(int rows) {
    return rows == 1 ? 1 : Integer.highestOneBit(rows - 1) * 2;
  }

  private String sql(int rows) {
    var row = "(" + String.join(", ", Collections.nCopies(columns.size(), "?")) + ")";
    return "insert into "
        + table
        + " ("
        + String.join(", ", columns)
        + ") values "
        + String.join(", ", Collections.nCopies(rows, row))
        + " on conflict do nothing returning "
        + returning;
  }
}
