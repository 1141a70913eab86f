package dev.tuntas.store;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Binds the parameters of a PostgreSQL statement one after the other, lists as arrays.
final class ColumnBinder {

  private final PreparedStatement statement;
  private int bound;

  ColumnBinder(PreparedStatement statement) {
    this.statement = statement;
  }

  void number(int value) throws SQLException {
    statement.setInt(++bound, value);
  }

  <E> void texts(List<E> rows, Function<E, @Nullable String> column) throws SQLException {
    var values = new @Nullable String[rows.size()];
    for (int i = 0; i < values.length; i++) values[i] = column.apply(rows.get(i));
    array("text", values);
  }

  <E> void ints(List<E> rows, ToIntFunction<E> column) throws SQLException {
    var values = new int[rows.size()];
    for (int i = 0; i < values.length; i++) values[i] = column.applyAsInt(rows.get(i));
    statement.setObject(++bound, values);
  }

  <E> void longs(List<E> rows, ToLongFunction<E> column) throws SQLException {
    var values = new long[rows.size()];
    for (int i = 0; i < values.length; i++) values[i] = column.applyAsLong(rows.get(i));
    statement.setObject(++bound, values);
  }

  <E> void times(List<E> rows, Function<E, @Nullable Instant> column) throws SQLException {
    var values = new @Nullable Long[rows.size()];
    for (int i = 0; i < values.length; i++) {
      var time = column.apply(rows.get(i));
      values[i] = time == null ? null : time.toEpochMilli();
    }
    array("int8", values);
  }

  private void array(String type, @Nullable Object[] values) throws SQLException {
    statement.setArray(++bound, statement.getConnection().createArrayOf(type, values));
  }
}
