package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.testservers.TestPostgres;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// What a PostgreSQL store refuses when it is opened, leaving everything as it was.
class PostgresStartIT {

  private String url;

  @BeforeEach
  void create() throws SQLException {
    url = TestPostgres.newDatabase();
  }

  @AfterEach
  void drop() throws SQLException {
    TestPostgres.drop(url);
  }

  private StoreException refusal() throws SQLException {
    var before = tables();
    var refusal =
        catchThrowableOfType(
            StoreException.class,
            () -> Stores.postgres(PostgresSettings.of(url, null, null)).close());
    assertThat(refusal).as("a refusal").isNotNull();
    assertThat(tables()).isEqualTo(before);
    return refusal;
  }

  private List<String> tables() throws SQLException {
    try (var connection = TestPostgres.connect(url);
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select relname || xmin::text from pg_class"
                    + " where relnamespace = 'public'::regnamespace order by 1")) {
      var names = new ArrayList<String>();
      while (rows.next()) names.add(rows.getString(1));
      return names;
    }
  }

  @Test
  void it_lives_beside_the_tables_of_its_host() throws SQLException {
    TestPostgres.execute(url, "create table orders (id int)");
    TestPostgres.execute(url, "create table flyway_schema_history (installed_rank int)");

    try (var stores = Stores.postgres(PostgresSettings.of(url, null, null))) {
      assertThat(stores.sagas().join("alice")).isPositive();
    }
  }

  @Test
  void a_schema_newer_than_the_program() throws SQLException {
    Stores.postgres(PostgresSettings.of(url, null, null)).close();
    TestPostgres.execute(
        url,
        "insert into tuntas_schema_history (installed_rank, version, description, type, script,"
            + " checksum, installed_by, execution_time, success)"
            + " values (99, '99', 'future', 'SQL', 'V99__future.sql', 1, 'x', 1, true)");

    assertThat(refusal())
        .hasMessageContaining("version 99")
        .extracting(StoreException::kind)
        .isEqualTo(Kind.UNUSABLE);
  }

  @Test
  void a_table_of_ours_that_we_did_not_make() throws SQLException {
    TestPostgres.execute(url, "create table tuntas_saga (id int)");

    assertThat(refusal())
        .hasMessageContaining("tuntas_saga")
        .extracting(StoreException::kind)
        .isEqualTo(Kind.UNUSABLE);
  }

  @Test
  void a_foreign_table_in_the_place_of_our_history() throws SQLException {
    TestPostgres.execute(url, "create table tuntas_schema_history (id int)");

    assertThat(refusal().kind()).isEqualTo(Kind.UNUSABLE);
  }

  @Test
  void a_table_that_was_dropped() throws SQLException {
    Stores.postgres(PostgresSettings.of(url, null, null)).close();
    TestPostgres.execute(url, "drop table tuntas_outbox");

    assertThat(refusal())
        .hasMessageContaining("tuntas_outbox")
        .extracting(StoreException::kind)
        .isEqualTo(Kind.UNUSABLE);
  }

  @Test
  void a_server_that_has_no_connection_left() throws SQLException {
    var role = "few_" + ProcessHandle.current().pid();
    TestPostgres.execute(url, "create role " + role + " login connection limit 1");
    var settings = PostgresSettings.of(url.replaceFirst("\\?.*", ""), role, null);
    try (var _ = DriverManager.getConnection(settings.url(), role, "")) {
      var refusal =
          catchThrowableOfType(StoreException.class, () -> Stores.postgres(settings).close());
      assertThat(refusal.kind()).isEqualTo(Kind.NOT_DONE);
      assertThat(refusal)
          .hasMessage(
              "connect to "
                  + settings.url()
                  + ": PostgreSQL has no connection left for this process (FATAL: too many"
                  + " connections for role \""
                  + role
                  + "\"): raise max_connections there, or let every process have fewer"
                  + " (database.connections-max)");
    } finally {
      TestPostgres.execute(url, "drop role " + role);
    }
  }

  @Test
  void connections_are_made_when_they_are_needed() throws Exception {
    try (var stores = Stores.postgres(PostgresSettings.of(url, null, null));
        var tables = Tables.postgres(PostgresSettings.of(url, null, null), TableSet.of("shop"))) {
      tables.ping();
      Eventually.until("only one is open", () -> connections() == 1);

      int alice = stores.sagas().join("alice");
      stores.sagas().beat(alice);
      stores.sagas().commit(alice, List.of(Batch.running("s", Batch.kind(stores.sagas()))));
      assertThat(connections()).isEqualTo(4); // any, beats, batches, and those of the shop
    }
  }

  private int connections() throws SQLException {
    try (var connection = TestPostgres.connect(url);
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "select count(*) from pg_stat_activity"
                    + " where datname = current_database() and application_name like 'tuntas%'")) {
      row.next();
      return row.getInt(1);
    }
  }

  @Test
  void a_server_that_is_not_there() {
    var nowhere =
        new PostgresSettings(
            "jdbc:postgresql://localhost:1/none",
            "nobody",
            "",
            4,
            Duration.ofMillis(300),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1));

    assertThat(catchThrowableOfType(StoreException.class, () -> Stores.postgres(nowhere)).kind())
        .isEqualTo(Kind.NOT_DONE);
  }

  @RepeatedTest(3)
  void programs_may_start_for_the_first_time_at_once() throws Exception {
    var together = new CyclicBarrier(3);
    Callable<Stores> program =
        () -> {
          together.await();
          return Stores.postgres(PatientPostgres.at(url));
        };
    try (var threads = Executors.newFixedThreadPool(3)) {
      var nodes = new HashSet<Integer>();
      for (var started : threads.invokeAll(List.of(program, program, program))) {
        try (var stores = started.get()) {
          nodes.add(stores.sagas().join("a"));
        }
      }
      assertThat(nodes).hasSize(3);
    }
  }
}
