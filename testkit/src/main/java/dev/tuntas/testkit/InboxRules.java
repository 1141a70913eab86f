package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.rests;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.runs;
import static dev.tuntas.testkit.Entries.seconds;
import static dev.tuntas.testkit.Entries.settling;
import static dev.tuntas.testkit.Entries.signal;
import static dev.tuntas.testkit.Entries.sleeps;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.InboxItem;
import dev.tuntas.engine.SagaStore.Put;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write.Applied;
import dev.tuntas.saga.Signal;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What is said to a saga is kept once, whether the saga exists or not, until its owner applies it.
interface InboxRules extends StoreUnderTest {

  private List<String> pendingOf(int node) {
    return store().pending(node, ALL).stream().map(item -> item.signal().externalId()).toList();
  }

  @Test
  default void the_same_is_stored_once() {
    assertThat(store().put("s", signal("x"), START)).isEqualTo(Put.NEW);
    assertThat(store().put("s", signal("x"), seconds(9))).isEqualTo(Put.KNOWN);

    writeAll(alice(), running("s", kind()));
    assertThat(pendingOf(alice())).containsExactly("x");
  }

  @Test
  default void another_text_under_the_same_name_is_a_conflict_and_not_stored() {
    writeAll(alice(), running("s", kind()));
    store().put("s", signal("x", "paid"), START);

    assertThat(store().put("s", signal("x", "refused"), START)).isEqualTo(Put.CONFLICT);
    assertThat(store().put("s", signal("x", "paid"), START)).isEqualTo(Put.KNOWN);

    assertThat(store().pending(alice(), ALL))
        .extracting(InboxItem::signal)
        .containsExactly(signal("x", "paid"));
  }

  @Test
  default void the_same_text_for_another_saga_or_step_is_a_conflict() {
    writeAll(alice(), running("s", kind()), running("t", kind()));
    store().put("s", new Signal("bank", "x", "paid", "body"), START);

    assertThat(store().put("t", new Signal("bank", "x", "paid", "body"), START))
        .isEqualTo(Put.CONFLICT);
    assertThat(store().put("s", new Signal("bank", "x", "refunded", "body"), START))
        .isEqualTo(Put.CONFLICT);
    assertThat(pendingOf(alice())).containsExactly("x");
  }

  @Test
  default void each_source_has_external_ids_of_its_own() {
    writeAll(alice(), running("s", kind()));

    assertThat(store().put("s", new Signal("bank", "x", "paid", "1"), START)).isEqualTo(Put.NEW);
    assertThat(store().put("s", new Signal("shop", "x", "paid", "2"), START)).isEqualTo(Put.NEW);
    assertThat(pendingOf(alice())).containsExactly("x", "x");
  }

  @Test
  default void only_the_owner_sees_what_is_pending() {
    writeAll(alice(), running("hers", kind()));
    writeAll(bob(), running("his", kind()));
    store().put("hers", signal("x"), START);
    store().put("his", signal("y"), START);
    store().put("nobodys", signal("z"), START);

    assertThat(pendingOf(alice())).containsExactly("x");
    assertThat(pendingOf(bob())).containsExactly("y");
  }

  @Test
  default void what_is_pending_comes_oldest_first_and_not_without_end() {
    writeAll(alice(), running("s", kind()), running("t", kind()));
    for (var id : List.of("c", "a", "d")) store().put("s", signal(id), START);
    store().put("t", signal("b"), START);

    assertThat(pendingOf(alice())).containsExactly("c", "a", "d", "b");
    assertThat(store().pending(alice(), 2)).hasSize(2).isSortedAccordingTo(this::byPos);
    assertThat(store().pending(alice(), 2).getFirst().signal()).isEqualTo(signal("c"));
  }

  private int byPos(InboxItem a, InboxItem b) {
    return Long.compare(a.pos(), b.pos());
  }

  @Test
  default void what_is_pending_follows_the_saga_to_its_next_owner() {
    writeAll(alice(), running("s", kind()));
    store().put("s", signal("x"), START);
    writeAll(alice(), sleeps("s", 1, lane(), START));
    assertThat(pendingOf(alice())).isEmpty();

    store().claimDue(bob(), lane(), Set.of(kind()), START, 1, 1);
    assertThat(pendingOf(bob())).containsExactly("x");
    assertThat(pendingOf(alice())).isEmpty();
  }

  @Test
  default void what_a_move_applies_is_settled_with_a_verdict() {
    writeAll(alice(), running("s", kind()));
    long x = tell(alice(), "s", "x");
    tell(alice(), "s", "y");
    assertThat(store().verdict("bank", "x")).isEmpty();

    writeAll(alice(), settling(runs("s", 1), new Applied(x, "taken")));

    assertThat(store().verdict("bank", "x")).contains("taken");
    assertThat(store().verdict("bank", "y")).isEmpty();
    assertThat(store().verdict("shop", "x")).isEmpty();
    assertThat(pendingOf(alice())).containsExactly("y");
  }

  @Test
  default void one_move_settles_several_rows() {
    writeAll(alice(), running("s", kind()));
    var x = new Applied(tell(alice(), "s", "x"), "taken");
    var y = new Applied(tell(alice(), "s", "y"), "too late");

    writeAll(alice(), settling(rests("s", 1, Status.DONE), x, y));

    assertThat(store().verdict("bank", "x")).contains("taken");
    assertThat(store().verdict("bank", "y")).contains("too late");
  }

  @Test
  default void moves_of_one_batch_settle_each_their_own_rows() {
    writeAll(alice(), running("s", kind()), running("t", kind()));
    long x = tell(alice(), "s", "x");
    long y = tell(alice(), "t", "y");

    writeAll(
        alice(),
        settling(runs("t", 1), new Applied(y, "for t")),
        settling(runs("s", 1), new Applied(x, "for s")));

    assertThat(store().verdict("bank", "x")).contains("for s");
    assertThat(store().verdict("bank", "y")).contains("for t");
  }

  @Test
  default void a_move_does_not_settle_rows_of_another_saga() {
    writeAll(alice(), running("s", kind()), running("t", kind()));
    long x = tell(alice(), "s", "x");

    writeAll(alice(), settling(runs("t", 1), new Applied(x, "stolen")));

    assertThat(store().verdict("bank", "x")).isEmpty();
    assertThat(pendingOf(alice())).containsExactly("x");
  }

  @Test
  default void what_was_applied_is_known_for_as_long_as_it_is_kept() {
    writeAll(alice(), running("s", kind()));
    long x = tell(alice(), "s", "x");
    writeAll(alice(), settling(runs("s", 1), new Applied(x, "taken")));

    assertThat(store().put("s", signal("x"), seconds(9))).isEqualTo(Put.KNOWN);
    assertThat(store().put("s", signal("x", "other"), seconds(9))).isEqualTo(Put.CONFLICT);
    assertThat(store().verdict("bank", "x")).contains("taken");
    assertThat(pendingOf(alice())).isEmpty();
  }
}
