package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.resting;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.runningSince;
import static dev.tuntas.testkit.Entries.runs;
import static dev.tuntas.testkit.Entries.seconds;
import static dev.tuntas.testkit.Entries.signal;
import static dev.tuntas.testkit.Entries.waiting;
import static dev.tuntas.testkit.StoreUnderTest.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Status;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What becomes of the sagas of dead nodes, and of those that a node lost sight of.
interface TakeOverRules extends StoreUnderTest {

  private List<String> takenBy(int node, int limit) {
    return ids(store().takeOver(node, Set.of(kind()), limit));
  }

  @Test
  default void sagas_of_a_dead_node_are_taken_over_at_the_same_version() {
    writeAll(alice(), running("s", kind()));
    writeAll(alice(), runs("s", 1));
    dies(alice());

    var taken = store().takeOver(bob(), Set.of(kind()), ALL).getFirst();

    assertThat(taken).isEqualTo(row("s"));
    assertThat(taken.owner()).isEqualTo(bob());
    assertThat(taken.status()).isEqualTo(Status.RUNNING);
    assertThat(taken.version()).isEqualTo(2);
    assertThat(taken.progress()).isEqualTo("progress 2");
    assertThat(taken.crashes()).isEqualTo(1);
    assertThat(store().history("s")).hasSize(2);
    assertThat(takenBy(bob(), ALL)).isEmpty();
  }

  @Test
  default void sagas_of_the_living_and_of_nobody_are_not_taken_over() {
    writeAll(alice(), running("hers", kind()));
    writeAll(
        bob(),
        running("his", kind()),
        waiting("waiting", kind(), lane(), START),
        resting("held", kind(), Status.HELD));
    int carol = store().join("carol");
    dies(bob());

    assertThat(takenBy(carol, ALL)).containsExactly("his");
    assertThat(row("hers").owner()).isEqualTo(alice());
  }

  @Test
  default void sagas_of_a_node_that_left_are_taken_over_at_once() {
    writeAll(alice(), running("s", kind()));
    store().leave(alice());

    assertThat(takenBy(bob(), ALL)).containsExactly("s");
  }

  @Test
  default void the_dead_take_nothing_over_not_even_from_themselves() {
    writeAll(alice(), running("s", kind()));
    dies(alice());

    assertThat(takenBy(alice(), ALL)).isEmpty();
    assertThat(takenBy(bob(), ALL)).containsExactly("s");
    assertThat(row("s").crashes()).isEqualTo(1);
  }

  /// Who does not know yet that it was declared dead would own what others must take from it again.
  @Test
  default void the_dead_claim_nothing() {
    writeAll(
        bob(), waiting("due", kind(), lane(), START, START), resting("told", kind(), Status.HELD));
    store().put("told", signal("x"), START);
    dies(alice());
    var kinds = Set.of(kind());
    var lanes = Set.of(lane());

    assertThat(store().claimDue(alice(), lane(), kinds, seconds(9), ALL, ALL)).isEmpty();
    assertThat(store().claimLate(alice(), kinds, seconds(9), ALL)).isEmpty();
    assertThat(store().claimSignalled(alice(), kinds, ALL)).isEmpty();
    assertThat(store().claim(alice(), List.of("due"), lanes, kinds, seconds(9))).isEmpty();

    assertThat(ids(store().claimSignalled(bob(), kinds, ALL))).containsExactly("told");
    assertThat(ids(store().claimDue(bob(), lane(), kinds, seconds(9), ALL, ALL)))
        .containsExactly("due");
  }

  @Test
  default void only_known_kinds_are_taken_over_and_no_more_than_the_limit() {
    writeAll(
        alice(),
        running("a", kind()),
        running("b", kind()),
        running("c", kind()),
        running("unknown", otherKind()));
    store().leave(alice());

    assertThat(store().takeOver(bob(), Set.of(), ALL)).isEmpty();
    assertThat(takenBy(bob(), 2)).hasSize(2).doesNotContain("unknown");
    assertThat(takenBy(bob(), 2)).hasSize(1).doesNotContain("unknown");
    assertThat(takenBy(bob(), 2)).isEmpty();
    assertThat(row("unknown").owner()).isEqualTo(alice());
  }

  @Test
  default void every_take_over_counts_a_crash_and_a_move_forgets_them_unless_it_keeps_them() {
    writeAll(alice(), running("s", kind()));
    store().leave(alice());
    takenBy(bob(), ALL);
    store().leave(bob());
    int carol = store().join("carol");
    takenBy(carol, ALL);
    assertThat(row("s").crashes()).isEqualTo(2);

    writeAll(carol, Entries.keepingCrashes(runs("s", 1)));
    assertThat(row("s").crashes()).isEqualTo(2);
    writeAll(carol, Entries.keepingCrashes(Entries.sleeps("s", 2, lane(), START)));
    assertThat(row("s").crashes()).isEqualTo(2);
    store().claimDue(carol, lane(), Set.of(kind()), START, 1, 1);
    writeAll(carol, runs("s", 3));
    assertThat(row("s").crashes()).isZero();
  }

  @Test
  default void a_claim_is_no_crash() {
    writeAll(alice(), waiting("s", kind(), lane(), START), resting("t", kind(), Status.HELD));
    store().put("t", signal("x"), START);

    var due = store().claimDue(bob(), lane(), Set.of(kind()), START, 1, 1);
    var woken = store().claimSignalled(bob(), Set.of(kind()), 1);

    assertThat(due.getFirst().crashes()).isZero();
    assertThat(woken.getFirst().crashes()).isZero();
  }

  @Test
  default void what_a_dead_node_inserts_after_the_sweep_is_swept_too() {
    store().leave(alice());
    assertThat(takenBy(bob(), ALL)).isEmpty();

    assertThat(write(alice(), running("late", kind()))).isTrue();
    assertThat(takenBy(bob(), ALL)).containsExactly("late");
  }

  @Test
  default void a_node_finds_what_it_owns_and_moved_outside_of_a_span() {
    writeAll(
        alice(),
        runningSince(seconds(10), "old", kind()),
        runningSince(seconds(10), "moved", kind()),
        runningSince(seconds(90), "young", kind()),
        waiting("waiting", kind(), lane(), START));
    writeAll(bob(), runningSince(seconds(10), "his", kind()));
    writeAll(alice(), Entries.at(seconds(80), runs("moved", 1)));

    assertThat(store().ownedBy(alice(), seconds(60), seconds(90), ALL)).containsExactly("old");
    assertThat(store().ownedBy(alice(), seconds(10), seconds(90), ALL)).isEmpty();
    assertThat(store().ownedBy(alice(), seconds(5), seconds(79), ALL))
        .as("whoever moved them had a time that is ahead")
        .containsExactlyInAnyOrder("moved", "young");
    assertThat(store().ownedBy(alice(), seconds(60), seconds(70), ALL))
        .containsExactlyInAnyOrder("old", "moved", "young");
    assertThat(store().ownedBy(alice(), seconds(60), seconds(70), 2)).hasSize(2);
  }

  @Test
  default void a_node_finds_what_it_claimed_or_took_over() {
    writeAll(alice(), running("taken", kind()), waiting("claimed", kind(), lane(), START));
    store().claimDue(bob(), lane(), Set.of(kind()), START, 1, 1);
    store().leave(alice());
    takenBy(bob(), ALL);

    assertThat(store().ownedBy(alice(), distantFuture(), distantFuture(), ALL)).isEmpty();
    assertThat(store().ownedBy(bob(), distantFuture(), distantFuture(), ALL))
        .containsExactlyInAnyOrder("taken", "claimed");
  }

  /// After whatever a store's own clock shows, in case a claim counts as a move.
  private static Instant distantFuture() {
    return Instant.parse("2200-01-01T00:00:00Z");
  }
}
