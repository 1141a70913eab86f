package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The tables on SQLite: what they refuse, and what their checks cost.
class SqliteSchemaTest {

  private static final String SAGA =
      """
      insert into tuntas_saga (id, kind, version, status, owner, lane, deadline, created_at,
                               moved_at, progress, data)
      values ('old', 1, 1, '%s', %s, 0, 1, 1, 1, 'trying', '{}')
      """;

  static final List<String> HOT =
      List.of(SqliteBatches.INSERT, SqliteBatches.RUN_ON, SqliteBatches.STOP, SqliteBatches.NOTICE);

  @TempDir private Path folder;
  private String url;

  @BeforeEach
  void name() {
    url = "jdbc:sqlite:" + folder.resolve("tuntas.db");
  }

  private Stores open() {
    return Stores.sqlite(folder, InstantSource.system());
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(url);
  }

  private void run(String sql) throws SQLException {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @ParameterizedTest
  @FieldSource("HOT")
  void no_entry_makes_sqlite_build_a_table(String sql) throws SQLException {
    open().close();
    var steps = new ArrayList<String>();
    try (var connection = connect();
        var rows = connection.prepareStatement("explain " + sql).executeQuery()) {
      while (rows.next()) steps.add(rows.getString("opcode"));
    }
    assertThat(steps).contains("Insert").doesNotContain("OpenEphemeral");
  }

  @ParameterizedTest
  @ValueSource(strings = {"X", "", "RR", "r", "[RWHDU]"})
  void a_status_that_is_none(String status) throws SQLException {
    open().close();
    assertThatThrownBy(() -> run(SAGA.formatted(status, "null")))
        .hasMessageContaining("CHECK constraint failed: status");
  }

  @Test
  void a_database_from_before_the_shorter_check() throws SQLException {
    Flyway.configure()
        .dataSource(url, null, null)
        .locations("classpath:dev/tuntas/store/sqlite")
        .table("tuntas_schema_history")
        .target("4")
        .load()
        .migrate();
    run(SAGA.formatted("R", "1"));
    try (var stores = open()) {
      assertThat(stores.sagas().find("old")).isPresent();
    }
    assertThatThrownBy(() -> run("update tuntas_saga set status = 'X', owner = null"))
        .hasMessageContaining("CHECK constraint failed: status glob");
  }
}
