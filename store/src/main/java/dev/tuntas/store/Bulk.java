package dev.tuntas.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Inserts many rows with few statements, on both databases.
public final class Bulk {

  /// Statements have so many rows, so that only a few of them are ever prepared.
  private static final int[] SIZES = {64, 8, 1};

  private final String table;
  private final List<String> columns;
  private final String returning;

  /// Into a table; rows whose key is known are left out. `returning` names the column that tells
  /// which were inserted.
  public Bulk(String table, String returning, String... columns) {
    this.table = table;
    this.returning = returning;
    this.columns = List.of(columns);
  }

  /// Inserts the rows in this order. Returns the `returning` values of those that were new.
  public List<String> insert(Session session, List<? extends List<? extends @Nullable Object>> rows)
      throws SQLException {
    var inserted = new ArrayList<String>(rows.size());
    int done = 0;
    for (int size : SIZES) {
      for (; rows.size() - done >= size; done += size) {
        var values = new ArrayList<@Nullable Object>(size * columns.size());
        for (var row : rows.subList(done, done + size)) values.addAll(row);
        inserted.addAll(session.list(sql(size), row -> row.getString(1), values.toArray()));
      }
    }
    return inserted;
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
