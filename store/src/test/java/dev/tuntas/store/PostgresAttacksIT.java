package dev.tuntas.store;

import static dev.tuntas.store.Batch.START;
import static dev.tuntas.store.Batch.ends;
import static dev.tuntas.store.Batch.insert;
import static dev.tuntas.store.Batch.running;
import static dev.tuntas.store.Batch.runsOn;
import static dev.tuntas.store.Batch.sleeps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaStore;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Notice;
import dev.tuntas.saga.Signal;
import dev.tuntas.testservers.TestPostgres;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The attacks that broke the first draft of the engine, as far as SQL answers them.
class PostgresAttacksIT implements RowLinesRules {

  private String url;
  private Stores stores;
  private SagaStore store;
  private int alice;
  private int kind;

  @BeforeEach
  void open() throws SQLException {
    url = TestPostgres.newDatabase();
    open(PatientPostgres.at(url));
  }

  private void open(PostgresSettings settings) {
    stores = Stores.postgres(settings);
    store = stores.sagas();
    alice = store.join("alice");
    kind = Batch.kind(store);
  }

  @Override
  public SagaStore store() {
    return store;
  }

  @Override
  public Connection connection() throws SQLException {
    return TestPostgres.connect(url);
  }

  @AfterEach
  void drop() throws SQLException {
    stores.close();
    TestPostgres.drop(url);
  }

  private static PostgresSettings impatient(String url) {
    var usual = PostgresSettings.of(url, null, null);
    return new PostgresSettings(
        url,
        usual.user(),
        usual.password(),
        usual.connectionsMax(),
        usual.connectTimeout(),
        Duration.ofMillis(2000),
        Duration.ofMillis(500));
  }

  /// Where it is the subject how long a store waits.
  private void openImpatiently() {
    stores.close();
    open(impatient(url));
  }

  private static Kind kindOf(Runnable attempt) {
    var failure = catchThrowableOfType(StoreException.class, attempt::run);
    assertThat(failure).isNotNull();
    return failure.kind();
  }

  /// A connection that has locked a saga's row and does nothing more.
  private Connection frozenOn(String id) throws SQLException {
    var connection = TestPostgres.connect(url);
    connection.setAutoCommit(false);
    try (var lock =
        connection.prepareStatement("select 1 from tuntas_saga where id = ? for update")) {
      lock.setString(1, id);
      lock.executeQuery().close();
    }
    return connection;
  }

  private void untilWriterWaits() throws Exception {
    Eventually.until(
        "the writer waits for a lock",
        () ->
            count(
                    "select count(*) from pg_stat_activity where datname = current_database()"
                        + " and application_name = 'tuntas-writer' and wait_event_type = 'Lock'")
                > 0);
  }

  @Test
  void a_signal_that_comes_while_its_saga_falls_asleep_wakes_it() throws Exception {
    store.commit(alice, List.of(running("s", kind)));
    CompletableFuture<BitSet> asleep;
    try (var frozen = frozenOn("s")) {
      asleep =
          CompletableFuture.supplyAsync(
              () -> store.commit(alice, List.of(sleeps("s", 1, START.plusSeconds(900)))));
      untilWriterWaits();
      store.put("s", new Signal("bank", "x", "paid", "{}"), START);
      frozen.rollback();
    }

    assertThat(asleep.get().cardinality()).isEqualTo(1);
    assertThat(store.claimSignalled(alice, Set.of(kind), 10))
        .extracting(SagaRow::id)
        .containsExactly("s");
  }

  @Test
  void a_frozen_client_stalls_a_batch_for_no_longer_than_the_lock_timeout() throws Exception {
    openImpatiently();
    store.commit(alice, List.of(running("frozen", kind), running("free", kind)));
    try (var _ = frozenOn("frozen")) {
      assertThat(
              kindOf(
                  () ->
                      store.commit(
                          alice, List.of(runsOn("free", 1, null), runsOn("frozen", 1, null)))))
          .isEqualTo(Kind.BLOCKED);
      assertThat(store.commit(alice, List.of(runsOn("free", 1, null))).cardinality()).isEqualTo(1);
    }
    assertThat(store.commit(alice, List.of(runsOn("frozen", 1, null))).cardinality()).isEqualTo(1);
  }

  /// The stores of tests wait for a lock for 20 s.
  @Test
  void whoever_has_met_a_lock_does_not_wait_long_for_the_next() throws Exception {
    store.commit(alice, List.of(running("one", kind), running("two", kind)));
    try (var _ = frozenOn("one");
        var _ = frozenOn("two")) {
      var first =
          CompletableFuture.supplyAsync(
              () -> kindOf(() -> store.commit(alice, List.of(runsOn("one", 1, null)))));
      untilWriterWaits();
      count(
          "select count(pg_cancel_backend(pid)) from pg_stat_activity where datname ="
              + " current_database() and application_name = 'tuntas-writer'"
              + " and wait_event_type = 'Lock'");
      assertThat(first.get()).isEqualTo(Kind.BLOCKED);

      long begun = System.nanoTime();
      assertThat(kindOf(() -> store.commit(alice, List.of(runsOn("two", 1, null)))))
          .isEqualTo(Kind.BLOCKED);
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(15));
    }
    assertThat(store.commit(alice, List.of(runsOn("two", 1, null))).cardinality()).isEqualTo(1);
  }

  @Test
  void work_that_pauses_inside_our_transaction_loses_it() throws Exception {
    openImpatiently();
    var failure =
        catchThrowableOfType(
            Exception.class,
            () ->
                store.insertWith(
                    alice,
                    running("s", kind),
                    _ ->
                        Eventually.until(
                            "the server ends the idle transaction",
                            () ->
                                count(
                                        "select count(*) from pg_stat_activity where datname ="
                                            + " current_database() and state like 'idle in tr%'")
                                    == 0)));

    assertThat(failure).isInstanceOf(StoreException.class);
    assertThat(((StoreException) failure).kind()).isIn(Kind.NOT_DONE, Kind.UNKNOWN);
    assertThat(store.find("s")).isEmpty();
    assertThat(store.commit(alice, List.of(running("s", kind))).cardinality()).isEqualTo(1);
  }

  @Test
  void a_poisoned_entry_fails_its_batch_as_bad_data_and_the_rest_passes_without_it() {
    var batch = List.<Write>of(running("a", kind), insert("b", kind, "nul \0"), running("c", kind));

    assertThat(kindOf(() -> store.commit(alice, batch))).isEqualTo(Kind.BAD_DATA);
    assertThat(store.find("a")).isEmpty();
    assertThat(kindOf(() -> store.commit(alice, batch.subList(1, 2)))).isEqualTo(Kind.BAD_DATA);
    assertThat(store.commit(alice, List.of(batch.get(0), batch.get(2))).cardinality()).isEqualTo(2);
  }

  @Test
  void batches_with_the_same_keys_in_opposite_order_do_not_deadlock() throws Exception {
    int bob = store.join("bob");
    var barrier = new CyclicBarrier(2);
    try (var threads = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < 50; round++) {
        var batch = new ArrayList<Write>();
        for (int i = 0; i < 100; i++) batch.add(running(round + "-" + i, kind));
        var reversed = batch.reversed();
        Future<BitSet> one = threads.submit(() -> commitTogether(barrier, alice, batch));
        Future<BitSet> two = threads.submit(() -> commitTogether(barrier, bob, reversed));
        assertThat(one.get().cardinality() + two.get().cardinality()).isEqualTo(100);
      }
    }
  }

  private BitSet commitTogether(CyclicBarrier barrier, int node, List<Write> batch)
      throws Exception {
    barrier.await();
    return store.commit(node, batch);
  }

  @Test
  void a_commit_whose_answer_is_lost_is_unknown_and_is_found_again() throws Exception {
    int port = Integer.parseInt(url.replaceFirst(".*//[^:/]+:?(\\d*)/.*", "0$1"));
    try (var wire = new CutWire(port == 0 ? 5432 : port);
        var remote =
            Stores.postgres(
                impatient(url.replaceFirst("//[^/]+/", "//localhost:" + wire.port() + "/")))) {
      var batch = List.<Write>of(running("a", kind, new Notice("n", "{}")), running("b", kind));
      remote.sagas().find("a");
      remote.sagas().commit(alice, List.of(running("warm", kind)));

      wire.loseAnswers();
      assertThat(kindOf(() -> remote.sagas().commit(alice, batch))).isEqualTo(Kind.UNKNOWN);
      wire.repair();

      Eventually.until("the commit has arrived", () -> store.find("a").isPresent());
      assertThat(remote.sagas().commit(alice, batch).isEmpty()).isTrue();
      assertThat(remote.sagas().wrote(alice, batch).cardinality()).isEqualTo(2);
      assertThat(store.history("a")).hasSize(1);
      assertThat(stores.outbox().next(START, 10)).hasSize(1);
    }
  }

  @Test
  void a_commit_whose_connection_is_killed_is_unknown_and_was_not_done() throws Exception {
    store.commit(alice, List.of(running("s", kind)));
    var batch = List.<Write>of(runsOn("s", 1, null));
    try (var _ = frozenOn("s")) {
      var commit = CompletableFuture.supplyAsync(() -> kindOf(() -> store.commit(alice, batch)));
      untilWriterWaits();
      count(
          "select count(pg_terminate_backend(pid)) from pg_stat_activity"
              + " where datname = current_database() and wait_event_type = 'Lock'");
      assertThat(commit.get()).isEqualTo(Kind.UNKNOWN);
    }

    assertThat(store.wrote(alice, batch).isEmpty()).isTrue();
    assertThat(store.commit(alice, batch).cardinality()).isEqualTo(1);
  }

  @Test
  void a_slow_transaction_with_a_lower_position_is_not_skipped() throws Exception {
    try (var slow = TestPostgres.connect(url)) {
      slow.setAutoCommit(false);
      store.insert(slow, alice, running("slow", kind, new Notice("n", "{}")));
      store.commit(alice, List.of(running("fast", kind, new Notice("n", "{}"))));

      var first = stores.outbox().next(START, 10);
      assertThat(first).extracting(Outbox.Entry::sagaId).containsExactly("fast");
      stores.outbox().published(List.of(first.getFirst().pos()));
      slow.commit();

      var second = stores.outbox().next(START, 10);
      assertThat(second).extracting(Outbox.Entry::sagaId).containsExactly("slow");
      assertThat(second.getFirst().pos()).isLessThan(first.getFirst().pos());
    }
  }

  @Test
  void two_claims_at_once_never_share_a_saga() throws Exception {
    int bob = store.join("bob");
    var waiting = IntStream.range(0, 500).mapToObj(i -> (Write) running("s" + i, kind)).toList();
    store.commit(alice, waiting);
    store.commit(
        alice, IntStream.range(0, 500).mapToObj(i -> (Write) sleeps("s" + i, 1, START)).toList());
    var claimed = Collections.synchronizedList(new ArrayList<String>());
    try (var threads = Executors.newFixedThreadPool(2)) {
      for (int node : new int[] {alice, bob}) {
        threads.submit(
            () -> {
              while (claimed.size() < 500) {
                for (var row : store.claimDue(node, 0, Set.of(kind), START, 100, 20)) {
                  claimed.add(row.id());
                }
              }
            });
      }
    }
    assertThat(claimed).hasSize(500).doesNotHaveDuplicates();
  }

  @Test
  void steps_that_run_on_touch_no_index() throws Exception {
    store.commit(alice, List.of(running("s", kind)));
    for (int version = 1; version <= 50; version++) {
      store.commit(alice, List.of(runsOn("s", version, "{\"step\":" + version + "}")));
    }
    store.commit(alice, List.of(ends("s", 51)));
    stores.close(); // a session that ends hands in its statistics

    // Four times its lines of history are moved to where the old ones are.
    Eventually.until("the statistics are in", () -> statistic("n_tup_upd") == 55);
    // Old versions are kept while the server itself looks at the table: a page may be full then.
    assertThat(statistic("n_tup_hot_upd")).isBetween(50L, 54L);
  }

  private long statistic(String column) throws SQLException {
    return count("select " + column + " from pg_stat_user_tables where relname = 'tuntas_saga'");
  }

  @Test
  void a_batch_finds_its_rows_by_id_however_many_run() throws Exception {
    for (int i = 0; i < 20; i++) {
      int from = i * 1000;
      store.commit(
          alice,
          IntStream.range(from, from + 1000)
              .mapToObj(n -> (Write) running("s" + n, kind))
              .toList());
    }
    store.commit(alice, List.of(runsOn("s7", 1, null)));
    stores.close();

    Eventually.until(
        "the statistics are in", () -> statistic("n_tup_upd") == 1 && statistic("n_tup_ins") > 0);
    assertThat(statistic("seq_tup_read")).isZero();
    assertThat(
            count(
                "select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes"
                    + " where relname = 'tuntas_saga'"))
        .isLessThan(100);
  }

  private long linesInRow(String id) throws SQLException {
    return count(
        "select json_array_length(('[' || rtrim(lines, ',') || ']')::json) from tuntas_saga"
            + " where id = '%s'".formatted(id));
  }

  /// Whoever looks at the row for long keeps its lines where they are, and nothing else.
  @Test
  void what_was_committed_is_said_though_its_lines_could_not_be_moved() throws Exception {
    openImpatiently();
    store.commit(alice, List.of(running("s", kind), running("t", kind)));
    for (int version = 1; version < 11; version++) {
      store.commit(alice, List.of(runsOn("s", version, null)));
    }
    try (var connection = TestPostgres.connect(url);
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("lock table tuntas_history in exclusive mode");
      var written = store.commit(alice, List.of(runsOn("s", 11, null), runsOn("t", 1, null)));
      assertThat(written.cardinality()).isEqualTo(2);
    }
    assertThat(linesInRow("s")).isEqualTo(12);
    for (int version = 12; version < 24; version++) {
      store.commit(alice, List.of(runsOn("s", version, null)));
    }
    assertThat(linesInRow("s")).isZero();
    assertThat(store.history("s")).hasSize(24);
  }

  /// Deleted notices stay in the index until somebody tidies up, and the relay begins to read
  /// there.
  @Test
  void the_outbox_is_tidied_up_by_whoever_empties_it() throws Exception {
    fillOutbox(20_000);
    for (int i = 0; i < 20; i++) {
      assertThat(tidied()).as("after %d thousand", i).isZero();
      var notices = stores.outbox().next(START, 1_000);
      stores.outbox().published(notices.stream().map(Outbox.Entry::pos).toList());
    }
    assertThat(tidied()).isEqualTo(1);
    assertThat(stores.outbox().next(START, 1)).isEmpty();
  }

  /// The server's own vacuum would hold the lock now and then.
  private void fillOutbox(int notices) throws SQLException {
    TestPostgres.execute(url, "alter table tuntas_outbox set (autovacuum_enabled = off)");
    TestPostgres.execute(
        url,
        "insert into tuntas_outbox (saga_id, version, seq, type, body, at)"
            + " select 's' || n, 1, 0, 'done', '{}', 1 from generate_series(1, "
            + notices
            + ") n");
  }

  private long tidied() throws SQLException {
    return count("select vacuum_count from pg_stat_user_tables where relname = 'tuntas_outbox'");
  }

  @Test
  void a_notice_that_somebody_has_locked_is_told_again_and_the_others_are_forgotten()
      throws Exception {
    openImpatiently();
    fillOutbox(3);
    var all = stores.outbox().next(START, 10).stream().map(Outbox.Entry::pos).toList();
    try (var other = TestPostgres.connect(url);
        var statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select 1 from tuntas_outbox where pos = " + all.get(1) + " for update");
      stores.outbox().published(all);
      assertThat(stores.outbox().next(START, 10))
          .extracting(Outbox.Entry::pos)
          .containsExactly(all.get(1));
    }
    stores.outbox().published(all);
    assertThat(stores.outbox().next(START, 10)).isEmpty();
  }

  @Test
  void an_outbox_that_cannot_be_tidied_up_is_emptied_all_the_same() throws Exception {
    fillOutbox(20_000);
    try (var connection = TestPostgres.connect(url);
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("lock table tuntas_outbox in share update exclusive mode");
      var notices = stores.outbox().next(START, 20_000);
      stores.outbox().published(notices.stream().map(Outbox.Entry::pos).toList());
    }
    assertThat(tidied()).isZero();
    assertThat(stores.outbox().next(START, 1)).isEmpty();
  }

  /// A plan is made once, and tables grow: what seems cheap with a handful of sagas must not be a
  /// look at all of them.
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 5, 50})
  void a_batch_looks_up_its_sagas_however_few_there_were_when_it_was_planned(int sagas)
      throws Exception {
    if (sagas > 0) {
      store.commit(
          alice, IntStream.range(0, sagas).<Write>mapToObj(i -> running("s" + i, kind)).toList());
      TestPostgres.execute(url, "vacuum analyze tuntas_saga");
    }
    try (var pool =
            PostgresPool.open("plans", PatientPostgres.at(url), 1, PostgresPool.PLANNED_ONCE);
        var connection = pool.source().getConnection()) {
      for (var form : PostgresBatches.Form.values()) {
        assertThat(plan(connection, form.sql))
            .contains("on tuntas_saga s\nIndex Cond: (id = ANY (ARRAY[v.id]))")
            .doesNotContain("Seq Scan", "Hash Join", "Merge Join");
      }
    }
  }

  private static String plan(Connection connection, String sql) throws SQLException {
    var numbered = new StringBuilder();
    int parameters = 0;
    for (var part : sql.split("\\?", -1)) {
      numbered.append(parameters == 0 ? "" : "$" + parameters).append(part);
      parameters++;
    }
    var nulls = String.join(", ", Collections.nCopies(parameters - 1, "null"));
    var plan = new ArrayList<String>();
    try (var statement = connection.createStatement()) {
      statement.execute("prepare batch as " + numbered);
      try (var rows = statement.executeQuery("explain (costs off) execute batch (" + nulls + ")")) {
        while (rows.next()) plan.add(rows.getString(1).strip());
      }
      statement.execute("deallocate batch");
    }
    return String.join("\n", plan);
  }
}
