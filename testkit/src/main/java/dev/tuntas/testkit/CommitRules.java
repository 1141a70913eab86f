package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.DEADLINE;
import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.insert;
import static dev.tuntas.testkit.Entries.move;
import static dev.tuntas.testkit.Entries.notice;
import static dev.tuntas.testkit.Entries.resting;
import static dev.tuntas.testkit.Entries.rests;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.runs;
import static dev.tuntas.testkit.Entries.saying;
import static dev.tuntas.testkit.Entries.seconds;
import static dev.tuntas.testkit.Entries.settling;
import static dev.tuntas.testkit.Entries.signal;
import static dev.tuntas.testkit.Entries.sleeps;
import static dev.tuntas.testkit.Entries.waiting;
import static dev.tuntas.testkit.Entries.withData;
import static dev.tuntas.testkit.StoreUnderTest.bits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.engine.HistoryLine;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaStore.Put;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import dev.tuntas.engine.Write.Applied;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// What a batch writes.
interface CommitRules extends StoreUnderTest {

  @Test
  default void a_running_saga_is_inserted_owned_by_its_writer() {
    assertThat(write(alice(), running("s", kind()))).isTrue();

    assertThat(row("s"))
        .isEqualTo(
            new SagaRow(
                "s",
                kind(),
                1,
                Status.RUNNING,
                alice(),
                0,
                null,
                DEADLINE,
                0,
                "progress 1",
                "data 1",
                START,
                START));
  }

  @Test
  default void a_waiting_saga_is_inserted_owned_by_nobody() {
    assertThat(write(alice(), waiting("s", kind(), lane(), seconds(7)))).isTrue();

    assertThat(row("s"))
        .isEqualTo(
            new SagaRow(
                "s",
                kind(),
                1,
                Status.WAITING,
                null,
                lane(),
                seconds(7),
                DEADLINE,
                0,
                "progress 1",
                "data 1",
                START,
                START));
  }

  @Test
  default void a_known_id_is_refused_and_leaves_nothing() {
    writeAll(alice(), running("s", kind(), notice("first")));
    var first = row("s");

    assertThat(write(bob(), running("s", otherKind(), notice("second")))).isFalse();
    assertThat(write(alice(), waiting("s", kind(), lane(), seconds(1)))).isFalse();

    assertThat(row("s")).isEqualTo(first);
    assertThat(store().history("s")).hasSize(1);
    assertThat(eventIds()).containsExactly("s/1/0");
  }

  @Test
  default void the_id_of_an_ended_saga_is_known() {
    writeAll(alice(), resting("s", kind(), Status.DONE));

    assertThat(write(alice(), running("s", kind()))).isFalse();
  }

  @Test
  default void a_move_makes_the_next_version_and_keeps_the_rest() {
    writeAll(alice(), running("s", kind()));

    assertThat(write(alice(), withData(runs("s", 1), "data 2"))).isTrue();

    assertThat(row("s"))
        .isEqualTo(
            new SagaRow(
                "s",
                kind(),
                2,
                Status.RUNNING,
                alice(),
                0,
                null,
                DEADLINE,
                0,
                "progress 2",
                "data 2",
                START,
                seconds(1)));
  }

  @Test
  default void a_move_without_data_keeps_the_data() {
    writeAll(alice(), running("s", kind()));
    writeAll(alice(), withData(runs("s", 1), "data 2"));
    writeAll(alice(), runs("s", 2));

    assertThat(row("s").data()).isEqualTo("data 2");
    assertThat(row("s").progress()).isEqualTo("progress 3");
  }

  @Test
  default void a_saga_that_goes_to_sleep_names_its_lane_and_due_time_and_is_free() {
    writeAll(alice(), running("s", kind()));
    writeAll(alice(), sleeps("s", 1, lane(), seconds(60)));

    assertThat(row("s").status()).isEqualTo(Status.WAITING);
    assertThat(row("s").owner()).isNull();
    assertThat(row("s").lane()).isEqualTo(lane());
    assertThat(row("s").dueAt()).isEqualTo(seconds(60));
  }

  @Test
  default void a_saga_at_rest_has_neither_owner_nor_due_time() {
    for (var status : List.of(Status.HELD, Status.DONE, Status.UNDONE)) {
      var id = status.name();
      writeAll(alice(), running(id, kind()));
      writeAll(alice(), rests(id, 1, status));

      assertThat(row(id).status()).isEqualTo(status);
      assertThat(row(id).owner()).isNull();
      assertThat(row(id).dueAt()).isNull();
    }
  }

  @Test
  default void every_version_has_its_line_in_the_history() {
    writeAll(alice(), waiting("s", kind(), lane(), START));
    store().claimDue(bob(), lane(), Set.of(kind()), START, 1, 1);
    writeAll(bob(), runs("s", 1));
    writeAll(bob(), rests("s", 2, Status.DONE));

    assertThat(store().history("s"))
        .containsExactly(
            new HistoryLine("s", 1, START, alice(), "inserted"),
            new HistoryLine("s", 2, seconds(1), bob(), "moved to 2"),
            new HistoryLine("s", 3, seconds(2), bob(), "moved to 3"));
  }

  /// A store may keep old lines elsewhere than new ones.
  @Test
  default void a_long_history_is_read_in_its_order() {
    writeAll(alice(), running("s", kind()), running("t", kind()));
    for (int version = 1; version < 40; version++) {
      writeAll(alice(), runs("s", version));
      assertThat(store().history("s")).hasSize(version + 1);
    }

    assertThat(store().history("s"))
        .extracting(HistoryLine::version)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 40).boxed().toList());
    assertThat(store().history("s"))
        .extracting(HistoryLine::what)
        .startsWith("inserted", "moved to 2")
        .endsWith("moved to 40");
    assertThat(store().history("t")).hasSize(1);
    for (int version : new int[] {1, 11, 12, 38, 39}) {
      assertThat(bits(store().wrote(alice(), List.of(runs("s", version))))).containsExactly(0);
    }
    writeAll(alice(), rests("s", 40, Status.DONE));
    store().purgeEnded(seconds(1_000_000), 10);
    assertThat(store().history("s")).isEmpty();
  }

  @Test
  default void a_line_may_say_anything() {
    var what = "said \"no\", 'x' \\ [1,2], {}\n\tand \u001e \u0001 é 東京, ";
    writeAll(
        alice(),
        saying(what, running("s", kind())),
        saying("", running("t", kind())),
        saying("id", running("id", kind())),
        saying("id/a id, idid/", running("id/", kind())),
        saying("aa aaa", running("aa", kind())));

    assertThat(store().history("s")).containsExactly(new HistoryLine("s", 1, START, alice(), what));
    assertThat(said("t")).isEmpty();
    assertThat(said("id")).isEqualTo("id");
    assertThat(said("id/")).isEqualTo("id/a id, idid/");
    assertThat(said("aa")).isEqualTo("aa aaa");
  }

  private String said(String id) {
    return store().history(id).getFirst().text();
  }

  @Test
  default void a_batch_writes_what_is_allowed_and_says_what_that_was() {
    writeAll(alice(), running("mine", kind()), running("stale", kind()));
    writeAll(bob(), running("his", kind()));

    var written =
        store()
            .commit(
                alice(),
                List.of(
                    runs("stale", 7, notice("no")),
                    running("new", kind(), notice("yes")),
                    runs("his", 1, notice("no")),
                    rests("mine", 1, Status.DONE),
                    runs("absent", 1, notice("no")),
                    waiting("asleep", kind(), lane(), seconds(5))));

    assertThat(bits(written)).containsExactly(1, 3, 5);
    assertThat(row("mine").status()).isEqualTo(Status.DONE);
    assertThat(row("new").owner()).isEqualTo(alice());
    assertThat(row("his").version()).isEqualTo(1);
    assertThat(store().find("absent")).isEmpty();
    assertThat(store().history("absent")).isEmpty();
    assertThat(eventIds()).containsExactly("new/1/0");
  }

  @Test
  default void an_empty_batch_writes_nothing() {
    assertThat(store().commit(alice(), List.of()).isEmpty()).isTrue();
  }

  @Test
  default void a_large_batch_in_any_order_is_written_whole() {
    var batch = new ArrayList<Write>();
    IntStream.range(0, 1_000)
        .map(i -> i * 37 % 1_000)
        .forEach(i -> batch.add(running("s-" + i, kind(), notice("n"))));

    assertThat(store().commit(alice(), batch).cardinality()).isEqualTo(1_000);
    assertThat(store().commit(alice(), batch).cardinality()).isZero();
    assertThat(eventIds()).hasSize(1_000);
  }

  @Test
  default void a_large_batch_of_moves_settles_and_tells_for_each() {
    var inserts = new ArrayList<Write>();
    var moves = new ArrayList<Write>();
    for (int i = 0; i < 300; i++) {
      inserts.add(running("s-" + i, kind()));
      store().put("s-" + i, signal("x-" + i), START);
    }
    store().commit(alice(), inserts);
    for (var item : store().pending(alice(), ALL)) {
      var move = move(item.sagaId(), 1, Status.DONE, 0, null, notice("n"));
      moves.add(settling(move, new Applied(item.pos(), "for " + item.sagaId())));
    }

    assertThat(store().commit(alice(), moves.reversed()).cardinality()).isEqualTo(300);
    assertThat(store().pending(alice(), ALL)).isEmpty();
    assertThat(store().verdict("bank", "x-77")).contains("for s-77");
    assertThat(eventIds()).hasSize(300);
  }

  @Test
  default void one_saga_twice_in_a_batch_is_refused_with_the_whole_batch() {
    writeAll(alice(), running("s", kind()));
    var twice =
        List.<List<Write>>of(
            List.of(running("other", kind()), runs("s", 1), runs("s", 2)),
            List.of(running("other", kind()), running("new", kind()), running("new", kind())),
            List.of(running("other", kind()), running("new", kind()), runs("new", 1)));

    for (var batch : twice) {
      assertThatThrownBy(() -> store().commit(alice(), batch))
          .isInstanceOf(IllegalArgumentException.class);
    }

    assertThat(row("s").version()).isEqualTo(1);
    assertThat(store().find("new")).isEmpty();
    assertThat(store().find("other")).isEmpty();
  }

  @Test
  default void a_row_that_is_neither_running_nor_waiting_nor_at_rest_is_refused_with_its_batch() {
    writeAll(alice(), running("s", kind()));
    var broken =
        List.<Write>of(
            insert("new", kind(), Status.WAITING, lane(), null, DEADLINE, START),
            insert("new", kind(), Status.RUNNING, lane(), START, DEADLINE, START),
            insert("new", kind(), Status.DONE, lane(), START, DEADLINE, START),
            move("s", 1, Status.WAITING, lane(), null),
            move("s", 1, Status.RUNNING, lane(), START),
            move("s", 1, Status.HELD, lane(), START));

    for (var entry : broken) {
      var batch = List.of(running("other", kind(), notice("no")), entry);
      assertThatThrownBy(() -> store().commit(alice(), batch)).isInstanceOf(RuntimeException.class);
    }

    assertThat(row("s").version()).isEqualTo(1);
    assertThat(store().find("new")).isEmpty();
    assertThat(store().find("other")).isEmpty();
    assertThat(store().history("other")).isEmpty();
    assertThat(eventIds()).isEmpty();
  }

  @Test
  default void times_are_kept_to_the_millisecond() {
    var fine = START.plusNanos(987_654);
    writeAll(alice(), insert("s", kind(), Status.WAITING, lane(), fine, fine, fine));

    assertThat(List.of(row("s").createdAt(), row("s").movedAt(), row("s").deadline()))
        .containsOnly(START);
    assertThat(row("s").dueAt()).isEqualTo(START);
  }

  @Test
  default void everything_is_still_there_after_a_restart() {
    writeAll(alice(), waiting("asleep", kind(), lane(), seconds(9)), running("s", kind()));
    writeAll(alice(), move("s", 1, Status.DONE, 0, null, notice("done")));
    store().put("asleep", signal("x"), START);
    var before = List.of(row("asleep"), row("s"));
    var history = store().history("s");

    reopenStore();

    assertThat(List.of(row("asleep"), row("s"))).isEqualTo(before);
    assertThat(store().history("s")).isEqualTo(history);
    assertThat(eventIds()).containsExactly("s/2/0");
    assertThat(store().put("asleep", signal("x"), START)).isEqualTo(Put.KNOWN);
  }
}
