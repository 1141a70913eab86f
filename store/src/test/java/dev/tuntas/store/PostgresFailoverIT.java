package dev.tuntas.store;

import static dev.tuntas.store.Batch.START;
import static dev.tuntas.store.Batch.running;
import static dev.tuntas.store.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tuntas.engine.SagaStore;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.saga.Signal;
import dev.tuntas.testservers.TestPostgres;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/// A server that may no longer be written to: for a while, or for ever because another took its
/// place.
@Isolated("it makes the whole server read-only for a while")
class PostgresFailoverIT {

  private static final String DATABASE_OF_URL = ".*//[^/]*/([^?]*).*";

  private final AtomicInteger count = new AtomicInteger();
  private String url;
  private Stores stores;
  private Tables tables;
  private SagaStore store;
  private int alice;
  private int kind;

  @BeforeEach
  void open() {
    url = TestPostgres.newDatabase();
    stores = Stores.postgres(PostgresSettings.of(url, null, null));
    tables = Tables.postgres(PostgresSettings.of(url, null, null), TableSet.of("shop"));
    store = stores.sagas();
    alice = store.join("alice");
    kind = Batch.kind(store);
    for (var write : writes()) assertThat(kindOf(write)).isNull();
  }

  @AfterEach
  void close() throws SQLException {
    server("reset default_transaction_read_only");
    tables.close();
    stores.close();
    TestPostgres.drop(url);
  }

  private void server(String setting) throws SQLException {
    TestPostgres.execute(url, "alter system " + setting);
    TestPostgres.execute(url, "select pg_reload_conf()");
  }

  /// One for each pool.
  private List<ThrowingCallable> writes() {
    int no = count.incrementAndGet();
    var signal = new Signal("test", "e" + no, "n", "{}");
    return List.of(
        () -> store.commit(alice, List.of(running("s" + no, kind))),
        () -> store.put("s" + no, signal, START),
        () -> store.beat(alice),
        () ->
            tables.write(
                "add",
                session ->
                    session.update("insert into shop_item (name, stock) values (?, 1)", "n" + no)));
  }

  private static Kind kindOf(ThrowingCallable write) {
    var failure = catchThrowableOfType(StoreException.class, write);
    return failure == null ? null : failure.kind();
  }

  private void awaitReadOnly() throws Exception {
    for (int i = 0; i < writes().size(); i++) {
      int which = i;
      until("it is read-only", () -> kindOf(writes().get(which)) == Kind.NOT_DONE);
    }
  }

  @Test
  void one_that_is_read_only_for_a_while_is_written_to_again() throws Exception {
    server("set default_transaction_read_only = on");
    awaitReadOnly();
    assertThat(store.find("s1")).isPresent();

    server("reset default_transaction_read_only");
    for (int i = 0; i < writes().size(); i++) {
      int which = i;
      until("it is written to", () -> kindOf(writes().get(which)) == null);
    }
  }

  /// Only connections that are made after it can write.
  @Test
  void after_a_failover_work_goes_on_within_ten_seconds_on_new_connections() throws Exception {
    server("set default_transaction_read_only = on");
    awaitReadOnly();
    var old = backends();

    var name = url.replaceFirst(DATABASE_OF_URL, "$1");
    TestPostgres.execute(
        url,
        "begin read write; alter database "
            + name
            + " set default_transaction_read_only = off; commit");
    long began = System.nanoTime();
    for (int i = 0; i < writes().size(); i++) {
      int which = i;
      until("it is written to", () -> kindOf(writes().get(which)) == null);
    }
    until("none is left to the old server", () -> backends().stream().noneMatch(old::contains));
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(10));
  }

  private List<Integer> backends() throws SQLException {
    try (var connection = TestPostgres.connect(url);
        var statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select pid from pg_stat_activity"
                    + " where datname = current_database() and application_name like 'tuntas%'")) {
      var pids = new ArrayList<Integer>();
      while (rows.next()) pids.add(rows.getInt(1));
      return pids;
    }
  }
}
