package dev.tuntas.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bench.chaos.Handovers.Figures;
import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Stores;
import dev.tuntas.testservers.TestPostgres;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What the reckoning must find, done to the tables by hand. Node 1 runs the saga at first.
class HandoversIT {

  private static String database;
  private Handovers handovers;

  @BeforeAll
  static void makeDatabase() {
    database = TestPostgres.newDatabase();
  }

  @AfterAll
  static void dropDatabase() throws SQLException {
    TestPostgres.drop(database);
  }

  @BeforeEach
  void makeTables() throws SQLException {
    run("drop schema public cascade; create schema public");
    Stores.postgres(PostgresSettings.of(database, null, null)).close();
    run("insert into tuntas_node (name) values ('one'), ('other')");
    run(
        """
        insert into tuntas_saga
          (id, kind, version, status, owner, lane, deadline, created_at, moved_at, progress, data)
        values ('s', 1, 1, 'R', 1, 0, 0, 0, 0, '', '')
        """);
    handovers = Handovers.noted(database);
    writeAs(1);
  }

  private static void run(String sql) throws SQLException {
    TestPostgres.execute(database, sql);
  }

  private static void die(int node) throws SQLException {
    run("update tuntas_node set dead = true where id = " + node);
  }

  private static void takeOverAs(int node) throws SQLException {
    run("update tuntas_saga set owner = " + node);
  }

  private static void giveAwayTo(int node) throws SQLException {
    run("update tuntas_saga set status = 'W', owner = null, due_at = 0");
    run("update tuntas_saga set status = 'R', due_at = null, owner = " + node);
  }

  private static void writeAs(int node) throws SQLException {
    run("update tuntas_saga set version = version + 1");
    run(
        "insert into tuntas_history (saga_no, version, at, node, what) select no, version, 0, %d, ''"
                .formatted(node)
            + " from tuntas_saga");
  }

  private Figures figures() throws SQLException {
    return handovers.figures();
  }

  @Test
  void what_the_dead_ran_is_taken_over() throws SQLException {
    die(1);
    takeOverAs(2);
    writeAs(2);
    assertThat(figures()).isEqualTo(new Figures(1, 0, 0));
  }

  @Test
  void who_writes_after_that_runs_it_twice() throws SQLException {
    die(1);
    takeOverAs(2);
    writeAs(2);
    writeAs(1);
    writeAs(1);
    assertThat(figures()).isEqualTo(new Figures(1, 0, 2));
  }

  @Test
  void nothing_is_taken_from_the_living() throws SQLException {
    takeOverAs(2);
    writeAs(2);
    assertThat(figures()).isEqualTo(new Figures(1, 1, 0));
  }

  @Test
  void what_was_given_away_may_come_back() throws SQLException {
    giveAwayTo(2);
    writeAs(2);
    giveAwayTo(1);
    writeAs(1);
    assertThat(figures()).isEqualTo(new Figures(0, 0, 0));
  }
}
