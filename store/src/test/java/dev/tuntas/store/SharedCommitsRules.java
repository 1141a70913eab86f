package dev.tuntas.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.store.Tables.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What becomes of transactions of several threads.
abstract class SharedCommitsRules {

  private Tables tables;
  final CountDownLatch gate = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  /// With one writer.
  abstract Tables open();

  @BeforeEach
  void openTables() {
    tables = open();
  }

  @AfterEach
  void closeTables() {
    tables.close();
  }

  private static Work<Thread> add(String name, int stock) {
    return session -> {
      session.update("insert into shop_item (name, stock) values (?, ?)", name, stock);
      return Thread.currentThread();
    };
  }

  private List<String> names() {
    return tables.read(
        "names",
        session -> session.list("select name from shop_item order by no", row -> row.getString(1)));
  }

  <T> CompletableFuture<T> start(Work<T> work) {
    var result = new CompletableFuture<T>();
    threads.add(
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    result.complete(tables.write("test", work));
                  } catch (Throwable e) {
                    result.completeExceptionally(e);
                  }
                }));
    return result;
  }

  /// A transaction that is under way until the gate opens, so that others gather behind it.
  void holdUp() throws Exception {
    var entered = new CountDownLatch(1);
    start(
        session -> {
          entered.countDown();
          await(gate);
          return session;
        });
    entered.await();
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  void untilAllWait() throws Exception {
    for (var thread : threads.subList(1, threads.size())) {
      Eventually.until("waiting", () -> thread.getState() == Thread.State.TIMED_WAITING);
    }
  }

  @Test
  void those_that_wait_are_written_together_and_each_has_its_own_fate() throws Exception {
    holdUp();
    var tea = start(add("tea", 1));
    var bad = start(add("nothing", -1));
    var thrown =
        start(
            session -> {
              add("coffee", 1).run(session);
              throw new IllegalArgumentException("no coffee");
            });
    var rice = start(add("rice", 1));
    untilAllWait();
    gate.countDown();

    assertThat(tea.get()).isEqualTo(rice.get());
    assertThatThrownBy(bad::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BAD_DATA));
    assertThatThrownBy(thrown::get).hasRootCauseMessage("no coffee");
    assertThat(names()).containsExactlyInAnyOrder("tea", "rice");
  }

  @Test
  void a_failure_of_the_whole_is_told_to_everyone() throws Exception {
    holdUp();
    var tea = start(add("tea", 1));
    var all =
        start(
            session -> {
              session.update("rollback"); // as SQLite itself does when the disk is full
              throw new IllegalStateException("the disk is full");
            });
    var rice = start(add("rice", 1));
    untilAllWait();
    gate.countDown();

    assertThatThrownBy(all::get).hasStackTraceContaining("the disk is full");
    for (var lost : List.of(tea, rice)) {
      assertThatThrownBy(lost::get)
          .cause()
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_DONE));
    }
    assertThat(names()).isEmpty();
    tables.write("afterwards", add("bread", 1));
    assertThat(names()).containsExactly("bread");
  }

  @Test
  void an_interrupted_thread_still_learns_what_became_of_its_work() throws Exception {
    holdUp();
    var interrupted = new CompletableFuture<Boolean>();
    threads.add(
        Thread.ofPlatform()
            .start(
                () -> {
                  tables.write("tea", add("tea", 1));
                  interrupted.complete(Thread.interrupted());
                }));
    untilAllWait();
    threads.getLast().interrupt();
    gate.countDown();

    assertThat(interrupted.get()).isTrue();
    assertThat(names()).containsExactly("tea");
  }

  @Test
  void no_transaction_begins_inside_another() {
    assertThatThrownBy(() -> tables.write("outer", _ -> tables.write("inner", add("tea", 1))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("not from inside another transaction");
    assertThat(names()).isEmpty();
  }

  @Test
  void nothing_is_lost_among_many_threads() {
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 2_000; i++) {
        int number = i;
        pool.submit(() -> tables.write("add", add("n" + number, number % 3 == 0 ? -1 : 1)));
      }
    }
    assertThat(names()).hasSize(1_333).doesNotHaveDuplicates();
  }

  @Test
  void after_a_failure_the_next_ones_are_written_together_again() throws Exception {
    holdUp();
    var bad = start(add("nothing", -1));
    var tea = start(add("tea", 1));
    untilAllWait();
    gate.countDown();
    assertThatThrownBy(bad::get).isInstanceOf(ExecutionException.class);
    tea.get();
    for (int i = 0; i < 40; i++) tables.write("add", add("n" + i, 1));
    assertThat(names()).hasSize(41).contains("tea", "n39");
  }

  @Test
  void that_it_can_be_written_is_proved_again_and_again() {
    for (int i = 0; i < 3; i++) tables.prove();
    assertThat(names()).isEmpty();
  }

  @Test
  void closed_tables_say_so() {
    tables.close();
    assertThatThrownBy(() -> tables.write("tea", add("tea", 1)))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_DONE));
  }
}
