package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.notice;
import static dev.tuntas.testkit.Entries.resting;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.runs;
import static dev.tuntas.testkit.Entries.signal;
import static dev.tuntas.testkit.Entries.sleeps;
import static dev.tuntas.testkit.Entries.waiting;
import static dev.tuntas.testkit.StoreUnderTest.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaStore.Put;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Everything may be called from any thread, and no two of them get the same saga.
interface ThreadRules extends StoreUnderTest {

  int THREADS = 4;
  int SAGAS = 120;

  /// What all calls return, each made on a thread of its own.
  private static <T> List<T> together(Collection<Callable<T>> calls) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var results = new ArrayList<T>();
      for (var future : threads.invokeAll(calls)) results.add(future.get());
      return results;
    }
  }

  private static List<Write> sagas(Function<String, Write> saga) {
    return IntStream.range(0, SAGAS).mapToObj(i -> saga.apply("s-" + i)).toList();
  }

  /// Claims in small bites until there is nothing left, or more came than there is.
  private static List<String> claimAll(Callable<List<SagaRow>> claim) throws Exception {
    var claimed = new ArrayList<String>();
    for (var rows = claim.call(); !rows.isEmpty(); rows = claim.call()) {
      claimed.addAll(ids(rows));
      if (claimed.size() > SAGAS) break;
    }
    return claimed;
  }

  private List<SagaRow> claimDue() {
    return store().claimDue(alice(), lane(), Set.of(kind()), START, 50, 5);
  }

  private List<SagaRow> claimSignalled() {
    return store().claimSignalled(bob(), Set.of(kind()), 5);
  }

  @Test
  default void a_due_saga_is_handed_to_one_claim_only() throws Exception {
    store().commit(alice(), sagas(id -> waiting(id, kind(), lane(), START)));

    var calls = new ArrayList<Callable<List<String>>>();
    for (int i = 0; i < THREADS; i++) calls.add(() -> claimAll(this::claimDue));
    var claimed = new ArrayList<String>(together(calls).stream().flatMap(List::stream).toList());
    claimed.addAll(claimAll(this::claimDue)); // what all of them skipped because it was locked

    assertThat(claimed).hasSize(SAGAS).doesNotHaveDuplicates();
  }

  @Test
  default void a_due_saga_with_a_signal_is_handed_to_one_claim_only() throws Exception {
    store().commit(alice(), sagas(id -> waiting(id, kind(), lane(), START)));
    for (int i = 0; i < SAGAS; i++) store().put("s-" + i, signal("x-" + i), START);

    var calls = new ArrayList<Callable<List<String>>>();
    for (int i = 0; i < THREADS; i++) {
      calls.add(() -> claimAll(this::claimDue));
      calls.add(() -> claimAll(this::claimSignalled));
    }
    var claimed = new ArrayList<String>(together(calls).stream().flatMap(List::stream).toList());
    claimed.addAll(claimAll(this::claimDue));

    assertThat(claimed).hasSize(SAGAS).doesNotHaveDuplicates();
  }

  @Test
  default void a_due_saga_that_is_named_is_handed_to_one_claim_only() throws Exception {
    store().commit(alice(), sagas(id -> waiting(id, kind(), lane(), START)));
    var ids = IntStream.range(0, SAGAS).mapToObj(i -> "s-" + i).toList();
    Callable<List<SagaRow>> named =
        () -> store().claim(bob(), ids, Set.of(lane()), Set.of(kind()), START);

    var calls = new ArrayList<Callable<List<String>>>();
    for (int i = 0; i < THREADS; i++) {
      calls.add(() -> claimAll(this::claimDue));
      calls.add(() -> claimAll(named));
    }
    var claimed = new ArrayList<String>(together(calls).stream().flatMap(List::stream).toList());
    claimed.addAll(claimAll(this::claimDue));

    assertThat(claimed).hasSize(SAGAS).doesNotHaveDuplicates();
  }

  @Test
  default void a_saga_of_a_dead_node_is_taken_over_once() throws Exception {
    store().commit(alice(), sagas(id -> running(id, kind())));
    store().leave(alice());
    Callable<List<SagaRow>> takeOver = () -> store().takeOver(bob(), Set.of(kind()), 5);

    var calls = new ArrayList<Callable<List<String>>>();
    for (int i = 0; i < THREADS; i++) calls.add(() -> claimAll(takeOver));
    var taken = new ArrayList<String>(together(calls).stream().flatMap(List::stream).toList());
    taken.addAll(claimAll(takeOver));

    assertThat(taken).hasSize(SAGAS).doesNotHaveDuplicates();
    for (var id : taken) assertThat(row(id).crashes()).isEqualTo(1);
  }

  @Test
  default void an_id_is_inserted_once_though_many_try_in_any_order() throws Exception {
    var batch = sagas(id -> running(id, kind(), notice("once")));
    var calls = new ArrayList<Callable<Integer>>();
    for (int i = 0; i < THREADS; i++) {
      int node = i % 2 == 0 ? alice() : bob();
      var inOrder = i % 2 == 0 ? batch : batch.reversed();
      calls.add(() -> store().commit(node, inOrder).cardinality());
    }

    assertThat(together(calls).stream().mapToInt(Integer::intValue).sum()).isEqualTo(SAGAS);
    assertThat(eventIds()).hasSize(SAGAS);
  }

  @Test
  default void a_version_is_made_once_though_many_try() throws Exception {
    store().commit(alice(), sagas(id -> running(id, kind())));
    var moves = sagas(id -> runs(id, 1, notice("once")));
    var calls = new ArrayList<Callable<Integer>>();
    for (int i = 0; i < THREADS; i++) {
      var inOrder = i % 2 == 0 ? moves : moves.reversed();
      calls.add(() -> store().commit(alice(), inOrder).cardinality());
    }

    assertThat(together(calls).stream().mapToInt(Integer::intValue).sum()).isEqualTo(SAGAS);
    assertThat(eventIds()).hasSize(SAGAS);
  }

  /// Puts a signal for every saga while the batch is committed.
  private void putDuring(List<Write> batch) throws Exception {
    together(
        List.of(
            () -> store().commit(alice(), batch).cardinality(),
            () -> {
              for (int i = 0; i < SAGAS; i++) store().put("s-" + i, signal("x-" + i), START);
              return SAGAS;
            }));
  }

  @Test
  default void a_signal_that_comes_while_its_saga_goes_to_sleep_wakes_it() throws Exception {
    store().commit(alice(), sagas(id -> running(id, kind())));

    putDuring(sagas(id -> sleeps(id, 1, lane(), START)));

    assertThat(claimAll(this::claimSignalled)).hasSize(SAGAS).doesNotHaveDuplicates();
  }

  @Test
  default void a_signal_that_comes_while_its_saga_begins_is_pending() throws Exception {
    putDuring(sagas(id -> running(id, kind())));

    assertThat(store().pending(alice(), ALL)).hasSize(SAGAS);
  }

  @Test
  default void a_signal_is_new_once_though_many_put_it() throws Exception {
    writeAll(alice(), resting("s", kind(), Status.HELD));
    var calls = new ArrayList<Callable<Put>>();
    for (int i = 0; i < THREADS; i++) calls.add(() -> store().put("s", signal("x"), START));

    assertThat(together(calls)).containsOnlyOnce(Put.NEW).containsOnly(Put.NEW, Put.KNOWN);
  }

  @Test
  default void nodes_that_join_together_get_ids_of_their_own() throws Exception {
    var calls = new ArrayList<Callable<Integer>>();
    for (int i = 0; i < THREADS; i++) calls.add(() -> store().join("same name"));

    assertThat(together(calls)).doesNotHaveDuplicates().doesNotContain(alice(), bob());
  }
}
