package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.notice;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.runs;
import static dev.tuntas.testkit.Entries.signal;
import static dev.tuntas.testkit.Entries.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// A saga that begins together with work of the caller. What needs a database of the store's is
/// skipped where there is none.
interface JoiningRules extends StoreUnderTest {

  /// A new connection of the caller's own to the store's database, if it has one.
  Optional<Connection> connection() throws Exception;

  private Connection connect() throws Exception {
    var connection = connection();
    assumeThat(connection).as("a database to connect to").isPresent();
    return connection.orElseThrow();
  }

  private void createTable() throws Exception {
    try (var connection = connect()) {
      execute(connection, "drop table if exists callers_work");
      execute(connection, "create table callers_work (done integer)");
    }
  }

  private int rowsOfWork() throws Exception {
    try (var connection = connect();
        var query = connection.createStatement();
        var rows = query.executeQuery("select count(*) from callers_work")) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static void work(Connection connection) throws SQLException {
    execute(connection, "insert into callers_work values (1)");
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Test
  default void a_saga_begins_with_the_work_of_its_caller() throws Exception {
    var saga = running("s", kind(), notice("begun"));

    assertThat(store().insertWith(alice(), saga, _ -> {})).isTrue();

    assertThat(row("s").owner()).isEqualTo(alice());
    assertThat(store().history("s")).hasSize(1);
    assertThat(eventIds()).containsExactly("s/1/0");
    assertThat(write(alice(), runs("s", 1))).isTrue();
  }

  @Test
  default void a_saga_does_not_begin_when_the_work_fails() {
    var failure = new IOException("the caller's own");

    assertThatThrownBy(
            () ->
                store()
                    .insertWith(
                        alice(),
                        running("s", kind(), notice("no")),
                        _ -> {
                          throw failure;
                        }))
        .isSameAs(failure);

    assertThat(store().find("s")).isEmpty();
    assertThat(store().history("s")).isEmpty();
    assertThat(eventIds()).isEmpty();
    assertThat(write(alice(), running("s", kind()))).isTrue();
  }

  @Test
  default void a_known_saga_does_not_begin_again_with_work() throws Exception {
    writeAll(alice(), running("s", kind()));
    var before = row("s");

    assertThat(store().insertWith(bob(), running("s", kind(), notice("no")), _ -> {})).isFalse();

    assertThat(row("s")).isEqualTo(before);
    assertThat(eventIds()).isEmpty();
  }

  @Test
  default void an_early_signal_wakes_a_saga_that_began_with_work() throws Exception {
    store().put("s", signal("x"), START);
    store().insertWith(alice(), waiting("s", kind(), lane(), START), _ -> {});

    assertThat(store().claimSignalled(bob(), Set.of(kind()), 1)).hasSize(1);
  }

  @Test
  default void the_work_is_committed_with_the_saga() throws Exception {
    createTable();

    assertThat(store().insertWith(alice(), running("s", kind()), JoiningRules::work)).isTrue();
    assertThat(rowsOfWork()).isEqualTo(1);
  }

  @Test
  default void the_work_is_rolled_back_for_a_known_saga() throws Exception {
    createTable();
    writeAll(alice(), running("s", kind()));

    assertThat(store().insertWith(alice(), running("s", kind()), JoiningRules::work)).isFalse();
    assertThat(rowsOfWork()).isZero();
  }

  @Test
  default void the_work_is_rolled_back_when_it_fails_halfway() throws Exception {
    createTable();

    assertThatThrownBy(
            () ->
                store()
                    .insertWith(
                        alice(),
                        running("s", kind()),
                        connection -> {
                          work(connection);
                          throw new IllegalStateException("halfway");
                        }))
        .hasMessage("halfway");

    assertThat(rowsOfWork()).isZero();
    assertThat(store().find("s")).isEmpty();
  }

  @Test
  default void a_saga_in_the_callers_transaction_begins_when_that_commits() throws Exception {
    try (var callers = connect()) {
      callers.setAutoCommit(false);
      assertThat(store().insert(callers, alice(), running("s", kind(), notice("begun")))).isTrue();
      callers.commit();
    }

    assertThat(row("s").owner()).isEqualTo(alice());
    assertThat(store().history("s")).hasSize(1);
    assertThat(eventIds()).containsExactly("s/1/0");
  }

  @Test
  default void a_saga_in_the_callers_transaction_vanishes_when_that_is_rolled_back()
      throws Exception {
    try (var callers = connect()) {
      callers.setAutoCommit(false);
      store().insert(callers, alice(), running("s", kind(), notice("no")));
      callers.rollback();
    }

    assertThat(store().find("s")).isEmpty();
    assertThat(store().history("s")).isEmpty();
    assertThat(eventIds()).isEmpty();
  }

  @Test
  default void a_known_saga_leaves_the_callers_transaction_usable() throws Exception {
    createTable();
    writeAll(alice(), running("s", kind()));

    try (var callers = connect()) {
      callers.setAutoCommit(false);
      assertThat(store().insert(callers, bob(), running("s", kind(), notice("no")))).isFalse();
      work(callers);
      callers.commit();
    }

    assertThat(rowsOfWork()).isEqualTo(1);
    assertThat(row("s").owner()).isEqualTo(alice());
    assertThat(eventIds()).isEmpty();
  }
}
