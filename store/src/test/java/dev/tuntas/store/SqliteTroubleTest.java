package dev.tuntas.store;

import static dev.tuntas.store.Batch.insert;
import static dev.tuntas.store.Batch.running;
import static dev.tuntas.store.Batch.runsOn;
import static dev.tuntas.store.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tuntas.engine.SagaStore;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Notice;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// SQLite when something goes wrong under it, or in work that it was lent to.
class SqliteTroubleTest implements RowLinesRules {

  @TempDir private Path folder;
  private Stores stores;
  private SagaStore store;
  private int alice;
  private int kind;

  @BeforeEach
  void open() {
    stores = Stores.sqlite(folder, InstantSource.system());
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
    return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("tuntas.db"));
  }

  @AfterEach
  void close() {
    stores.close();
  }

  private List<Write> large(String prefix) {
    return IntStream.range(0, 500)
        .mapToObj(i -> (Write) insert(prefix + i, kind, "x".repeat(4_000), new Notice("n", "{}")))
        .toList();
  }

  @Test
  void a_full_disk_refuses_the_batch_whole_and_takes_it_when_there_is_room() throws Exception {
    store.insertWith(alice, running("first", kind), c -> execute(c, "pragma max_page_count = 200"));

    var failure = catchThrowableOfType(StoreException.class, () -> store.commit(alice, large("s")));
    assertThat(failure.kind()).isEqualTo(Kind.NOT_DONE);
    assertThat(store.find("first")).isPresent();
    assertThat(store.find("s0")).isEmpty();
    assertThat(store.history("s0")).isEmpty();
    assertThat(stores.outbox().lag().waiting()).isZero();

    // A new connection does not have the limit: there is room again.
    assertThat(store.commit(alice, large("s")).cardinality()).isEqualTo(500);
  }

  @Test
  void what_failed_on_bad_pages_works_again_once_they_are_whole() throws Exception {
    store.commit(alice, large("s"));
    stores.close();
    var file = folder.resolve("tuntas.db");
    var whole = Files.readAllBytes(file);
    open();

    writeOver(file, zerosBehindFirstPage(whole));
    for (int i = 0; i < 10; i++) {
      assertThat(failure(() -> store.find("s1"))).isEqualTo(Kind.UNUSABLE);
      assertThat(failure(() -> store.history("s2"))).isEqualTo(Kind.UNUSABLE);
      assertThat(failure(() -> store.takeOver(alice, Set.of(kind), 1_000)))
          .isEqualTo(Kind.UNUSABLE);
    }
    writeOver(file, whole);

    for (int i = 0; i < 10; i++) { // whichever connection it is
      assertThat(store.find("s1")).isPresent();
      assertThat(store.history("s2")).hasSize(1);
    }
    assertThat(store.takeOver(alice, Set.of(kind), 1_000)).hasSize(500);
    assertThat(store.commit(alice, List.of(runsOn("s3", 1, "x"))).cardinality()).isEqualTo(1);
  }

  private static Kind failure(ThrowingCallable attempt) {
    return catchThrowableOfType(StoreException.class, attempt).kind();
  }

  private static byte[] zerosBehindFirstPage(byte[] whole) {
    return Arrays.copyOf(Arrays.copyOf(whole, 4096), whole.length);
  }

  /// As a disk would that loses pages and finds them again, without making the file shorter.
  private static void writeOver(Path file, byte[] bytes) throws IOException {
    Files.write(file, bytes, StandardOpenOption.WRITE);
  }

  @Test
  void nothing_is_opened_again_after_the_end() {
    stores.close();
    assertThat(failure(() -> store.find("s"))).isEqualTo(Kind.NOT_DONE);
    assertThat(failure(() -> store.commit(alice, List.of(running("s", kind)))))
        .isEqualTo(Kind.NOT_DONE);
  }

  @Test
  void a_database_that_somebody_else_locks_is_not_done_and_works_again_later() throws Exception {
    try (var other = connection()) {
      execute(other, "begin immediate");
      var failure =
          catchThrowableOfType(
              StoreException.class, () -> store.commit(alice, List.of(running("s", kind))));
      assertThat(failure.kind()).isEqualTo(Kind.NOT_DONE);
      execute(other, "rollback");
    }
    assertThat(store.commit(alice, List.of(running("s", kind))).cardinality()).isEqualTo(1);
  }

  @Test
  void a_constraint_that_is_violated_is_bad_data() {
    var impossible =
        new Write.Move(
            "s",
            1,
            Status.WAITING,
            0,
            null,
            null,
            "p",
            null,
            "w",
            List.of(),
            List.of(),
            Batch.START);
    store.commit(alice, List.of(running("s", kind)));

    var failure =
        catchThrowableOfType(
            StoreException.class,
            () -> store.commit(alice, List.of(running("other", kind), impossible)));
    assertThat(failure.kind()).isEqualTo(Kind.BAD_DATA);
    assertThat(store.find("other")).isEmpty();
  }

  @Test
  void the_log_stays_short_under_load() throws Exception {
    var wal = folder.resolve("tuntas.db-wal");
    long longest = 0;
    long version = 1;
    store.commit(alice, large("s"));
    for (int i = 0; i < 120; i++) {
      long at = version++;
      store.commit(
          alice,
          IntStream.range(0, 500)
              .mapToObj(n -> (Write) runsOn("s" + n, at, "y".repeat(4_000)))
              .toList());
      longest = Math.max(longest, Files.size(wal));
    }
    assertThat(longest).isLessThan(160L << 20);
  }

  /// A checkpoint refuses a file that is shorter than it can be; a commit does not look at it.
  @Test
  void a_checkpoint_that_failed_is_made_once_it_can_be() throws Exception {
    for (int i = 0; i < 8; i++) store.commit(alice, large("s" + i + "-"));
    stores.close();
    open();
    var file = folder.resolve("tuntas.db");
    var whole = Files.readAllBytes(file);

    store.insertWith(
        alice,
        running("last", kind),
        connection -> {
          execute(connection, "create table filler (text text)");
          execute(connection, "insert into filler values (hex(zeroblob(4000000)))");
          try (var database = FileChannel.open(file, StandardOpenOption.WRITE)) {
            database.truncate(4096);
          }
        });
    until("the checkpoint fails", () -> stores.log().orElseThrow().failure() != null);
    assertThat(stores.log().orElseThrow().failingFor()).isPositive();
    writeOver(file, whole);

    until("the checkpoint is made", () -> stores.log().orElseThrow().failure() == null);
    assertThat(stores.log().orElseThrow().failingFor()).isZero();
    until("the log is copied", () -> Files.size(file) > whole.length);
    assertThat(store.find("last")).isPresent();
  }

  @Test
  void a_log_that_grew_behind_a_slow_reader_becomes_short_again() throws Exception {
    long limit = 16_000 * 4096;
    try (var slow = connection()) {
      execute(slow, "begin");
      execute(slow, "select count(*) from tuntas_saga");
      for (int i = 0; walBytes() < limit + (8 << 20); i++)
        store.commit(alice, large("s" + i + "-"));
    }
    var next = new AtomicInteger();
    until(
        "the log is short",
        () -> {
          store.commit(alice, large("t" + next.incrementAndGet() + "-"));
          return walBytes() <= limit;
        });
  }

  private long walBytes() {
    return stores.log().orElseThrow().bytes();
  }

  @Test
  void a_saga_cannot_join_a_transaction_of_another_connection() throws SQLException {
    try (var other = connection()) {
      assertThatThrownBy(() -> store.insert(other, alice, running("s", kind)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("insertWith");
    }
  }

  @Test
  void work_commits_and_rolls_back_with_its_saga() throws Exception {
    store.insertWith(alice, running("a", kind), c -> execute(c, "create table orders (id text)"));
    store.insertWith(alice, running("b", kind), c -> execute(c, "insert into orders values ('b')"));
    assertThat(
            store.insertWith(
                alice, running("b", kind), c -> execute(c, "insert into orders values ('no')")))
        .isFalse();
    assertThatThrownBy(
            () ->
                store.insertWith(
                    alice, running("c", kind), c -> execute(c, "insert into nowhere values (1)")))
        .isInstanceOf(SQLException.class);

    assertThat(store.find("c")).isEmpty();
    try (var other = connection();
        var statement = other.createStatement();
        var rows = statement.executeQuery("select group_concat(id) from orders")) {
      assertThat(rows.getString(1)).isEqualTo("b");
    }
  }

  @Test
  void work_cannot_end_the_transaction_it_is_in() {
    for (Ending work :
        List.<Ending>of(
            Connection::commit,
            Connection::rollback,
            Connection::close,
            c -> c.setAutoCommit(true))) {
      assertThatThrownBy(() -> store.insertWith(alice, running("s", kind), work::run))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the store ends this transaction");
      assertThat(store.find("s")).isEmpty();
    }
  }

  private interface Ending {
    void run(Connection connection) throws SQLException;
  }

  @Test
  void work_may_use_savepoints_of_its_own() throws Exception {
    store.insertWith(
        alice,
        running("s", kind),
        connection -> {
          var savepoint = connection.setSavepoint("mine");
          execute(connection, "create table gone (id text)");
          connection.rollback(savepoint);
        });
    assertThat(store.find("s")).isPresent();
  }

  @Test
  void work_cannot_call_the_store_that_runs_it() {
    assertThatThrownBy(
            () ->
                store.insertWith(
                    alice,
                    running("s", kind),
                    _ -> store.commit(alice, List.of(running("inner", kind)))))
        .isInstanceOf(IllegalStateException.class);
    assertThat(store.find("inner")).isEmpty();
    assertThat(store.commit(alice, List.of(running("s", kind))).cardinality()).isEqualTo(1);
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
