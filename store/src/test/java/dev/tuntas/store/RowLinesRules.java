package dev.tuntas.store;

import static dev.tuntas.store.Batch.ends;
import static dev.tuntas.store.Batch.running;
import static dev.tuntas.store.Batch.runsOn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.HistoryLine;
import dev.tuntas.engine.SagaStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Where the lines of a history are kept.
interface RowLinesRules {

  SagaStore store();

  /// Another one than the store's.
  Connection connection() throws SQLException;

  private void execute(String sql) throws SQLException {
    try (var connection = connection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  default long count(String sql) throws SQLException {
    try (var connection = connection();
        var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private int started(int versions) {
    int alice = store().join("alice");
    store().commit(alice, List.of(running("s", Batch.kind(store()))));
    for (int version = 1; version < versions; version++) {
      store().commit(alice, List.of(runsOn("s", version, null)));
    }
    return alice;
  }

  /// A line ends with `],` and these have no such text in them.
  private long linesInRow() throws SQLException {
    return count("select (length(lines) - length(replace(lines, '],', ''))) / 2 from tuntas_saga");
  }

  @Test
  default void a_row_keeps_few_lines_of_history() throws Exception {
    started(30);

    assertThat(linesInRow()).isEqualTo(6);
    assertThat(count("select count(*) from tuntas_history")).isEqualTo(24);
    assertThat(store().history("s"))
        .extracting(HistoryLine::version)
        .isEqualTo(LongStream.rangeClosed(1, 30).boxed().toList());
  }

  @Test
  default void a_saga_that_is_forgotten_leaves_no_line() throws Exception {
    int alice = started(30);
    store().commit(alice, List.of(ends("s", 30)));
    store().purgeEnded(Batch.DEADLINE, 10);

    assertThat(count("select count(*) from tuntas_saga")).isZero();
    assertThat(count("select count(*) from tuntas_history")).isZero();
  }

  /// As a process of an earlier version leaves them, which writes a row for each line.
  @Test
  default void lines_from_before_are_still_read() throws Exception {
    int alice = started(1);
    execute(
        "insert into tuntas_history select no, 1, 7, %d, 'before' from tuntas_saga"
            .formatted(alice));
    execute("update tuntas_saga set lines = ''");
    store().commit(alice, List.of(runsOn("s", 1, null)));

    assertThat(store().history("s"))
        .extracting(HistoryLine::what)
        .containsExactly("before", "went on");
  }
}
