package dev.tuntas.store;

import java.sql.SQLException;
import java.util.ArrayList;
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

  /// Inserts the rows in this order. Returns the `returning` values of those that were new.
  public List<String> insert(Session session, List<? extends List<? extends @Nullable Object>> rows)
      throws SQLException {
    var inserted = new ArrayList<String>(rows.size());
    for (int from = 0; from < rows.size(); from += ROWS_MAX) {
      var some = rows.subList(from, Math.min(from + ROWS_MAX, rows.size()));
      int size = atLeast(some.size());
      var values = new ArrayList<@Nullable Object>(size * columns.size());
      for (var row : some) values.addAll(row);
      // A row that comes again is known by then, and left out.
      for (int i = some.size(); i < size; i++) values.addAll(some.getLast());
      inserted.addAll(session.list(sql(size), row -> row.getString(1), values.toArray()));
    }
    return inserted;
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
