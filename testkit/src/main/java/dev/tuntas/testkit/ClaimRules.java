package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.DEADLINE;
import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.insert;
import static dev.tuntas.testkit.Entries.resting;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.seconds;
import static dev.tuntas.testkit.Entries.sleeps;
import static dev.tuntas.testkit.Entries.until;
import static dev.tuntas.testkit.Entries.waiting;
import static dev.tuntas.testkit.StoreUnderTest.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Who gets a saga that is due.
interface ClaimRules extends StoreUnderTest {

  private List<String> claimed(Instant now, int candidates, int limit) {
    return ids(store().claimDue(alice(), lane(), Set.of(kind()), now, candidates, limit));
  }

  @Test
  default void a_claimed_saga_runs_under_its_new_owner_at_the_same_version() {
    writeAll(alice(), running("s", kind()));
    writeAll(alice(), sleeps("s", 1, lane(), seconds(60)));

    var claimed = store().claimDue(bob(), lane(), Set.of(kind()), seconds(60), 10, 10);

    assertThat(claimed)
        .containsExactly(
            new SagaRow(
                "s",
                kind(),
                2,
                Status.RUNNING,
                bob(),
                lane(),
                null,
                DEADLINE,
                0,
                "progress 2",
                "data 1",
                START,
                claimed.getFirst().movedAt()));
    assertThat(row("s")).isEqualTo(claimed.getFirst());
    assertThat(store().history("s")).hasSize(2);
  }

  private List<String> named(Instant now, String... ids) {
    return ids(store().claim(bob(), List.of(ids), Set.of(lane()), Set.of(kind()), now));
  }

  @Test
  default void those_that_are_named_are_claimed_once_if_they_are_due() {
    writeAll(
        alice(),
        running("owned", kind()),
        resting("over", kind(), Status.DONE),
        waiting("due", kind(), lane(), START),
        waiting("later", kind(), lane(), seconds(60)),
        waiting("elsewhere", kind(), otherLane(), START),
        waiting("unknown", otherKind(), lane(), START),
        waiting("not named", kind(), lane(), START));

    var all = new String[] {"owned", "over", "due", "later", "elsewhere", "unknown", "nobody"};
    assertThat(named(START, all)).containsExactly("due");
    assertThat(named(START, all)).isEmpty();
    assertThat(row("due").owner()).isEqualTo(bob());
    assertThat(row("due").status()).isEqualTo(Status.RUNNING);
    assertThat(row("due").dueAt()).isNull();
    assertThat(row("not named").owner()).isNull();
    assertThat(named(seconds(60), "later", "due")).containsExactly("later");
    assertThat(named(START)).isEmpty();
  }

  @Test
  default void a_saga_is_due_from_its_due_time_on() {
    writeAll(alice(), waiting("s", kind(), lane(), seconds(60)));

    assertThat(claimed(seconds(60).minusMillis(1), ALL, ALL)).isEmpty();
    assertThat(claimed(seconds(60), ALL, ALL)).containsExactly("s");
  }

  @Test
  default void a_claimed_saga_is_not_handed_out_again() {
    writeAll(alice(), waiting("s", kind(), lane(), START));

    assertThat(claimed(START, ALL, ALL)).containsExactly("s");
    assertThat(claimed(START, ALL, ALL)).isEmpty();
    assertThat(store().claimDue(bob(), lane(), Set.of(kind()), START, ALL, ALL)).isEmpty();
  }

  @Test
  default void only_waiting_sagas_of_the_lane_are_claimed() {
    writeAll(
        bob(),
        waiting("here", kind(), lane(), START),
        waiting("elsewhere", kind(), otherLane(), START),
        waiting("nowhere", kind(), 0, START),
        running("running", kind()),
        resting("held", kind(), Status.HELD),
        resting("done", kind(), Status.DONE),
        resting("undone", kind(), Status.UNDONE));

    assertThat(claimed(seconds(60), ALL, ALL)).containsExactly("here");
    assertThat(ids(store().claimDue(bob(), 0, Set.of(kind()), seconds(60), ALL, ALL)))
        .containsExactly("nowhere");
  }

  @Test
  default void only_known_kinds_are_claimed() {
    writeAll(
        bob(),
        waiting("known", kind(), lane(), START),
        waiting("unknown", otherKind(), lane(), START));

    assertThat(store().claimDue(alice(), lane(), Set.of(), START, ALL, ALL)).isEmpty();
    assertThat(claimed(START, ALL, ALL)).containsExactly("known");
    var both = Set.of(kind(), otherKind());
    assertThat(ids(store().claimDue(alice(), lane(), both, START, ALL, ALL)))
        .containsExactly("unknown");
  }

  @Test
  default void unknown_kinds_do_not_use_up_the_candidates() {
    writeAll(
        bob(),
        waiting("u-1", otherKind(), lane(), seconds(1)),
        waiting("u-2", otherKind(), lane(), seconds(2)),
        waiting("known", kind(), lane(), seconds(3)));

    assertThat(claimed(seconds(9), 1, 1)).containsExactly("known");
  }

  @Test
  default void no_more_than_the_limit_is_claimed() {
    for (int i = 0; i < 9; i++) writeAll(bob(), waiting("s-" + i, kind(), lane(), seconds(i)));

    assertThat(claimed(seconds(60), ALL, 0)).isEmpty();
    assertThat(claimed(seconds(60), ALL, 4)).hasSize(4);
    assertThat(claimed(seconds(60), 5, 5)).hasSize(5);
    assertThat(claimed(seconds(60), ALL, ALL)).isEmpty();
  }

  @Test
  default void of_the_longest_overdue_those_with_the_nearest_deadline_are_claimed() {
    writeAll(
        bob(),
        waiting("oldest", kind(), lane(), seconds(1), seconds(500)),
        waiting("older", kind(), lane(), seconds(2), seconds(300)),
        waiting("old", kind(), lane(), seconds(3), seconds(400)),
        waiting("urgent", kind(), lane(), seconds(4), seconds(100)));

    assertThat(claimed(seconds(60), 3, 2)).containsExactlyInAnyOrder("older", "old");
    assertThat(claimed(seconds(60), 2, 1)).containsExactly("urgent");
    assertThat(claimed(seconds(60), 2, 1)).containsExactly("oldest");
  }

  @Test
  default void candidates_are_the_longest_overdue_whatever_their_deadline() {
    writeAll(
        bob(),
        waiting("overdue", kind(), lane(), seconds(1), seconds(500)),
        waiting("urgent", kind(), lane(), seconds(2), seconds(100)));

    assertThat(claimed(seconds(60), 1, 1)).containsExactly("overdue");
  }

  private List<String> late(Instant now, int limit) {
    return ids(store().claimLate(alice(), Set.of(kind()), now, limit));
  }

  @Test
  default void whose_deadline_has_passed_is_claimed_whatever_it_waits_for() {
    writeAll(
        bob(),
        waiting("here", kind(), lane(), seconds(1), seconds(10)),
        waiting("elsewhere", kind(), otherLane(), seconds(90), seconds(20)),
        waiting("later", kind(), lane(), seconds(1), seconds(61)),
        waiting("unknown", otherKind(), lane(), seconds(1), seconds(10)));

    assertThat(late(seconds(10).minusMillis(1), ALL)).isEmpty();
    assertThat(late(seconds(60), 1)).containsExactly("here");
    assertThat(late(seconds(60), ALL)).containsExactly("elsewhere");
    assertThat(late(seconds(60), ALL)).isEmpty();
    assertThat(row("elsewhere").status()).isEqualTo(Status.RUNNING);
    assertThat(row("elsewhere").owner()).isEqualTo(alice());
  }

  @Test
  default void whoever_does_not_wait_is_never_late() {
    writeAll(
        bob(),
        insert("runs", kind(), Status.RUNNING, 0, null, START, START),
        insert("held", kind(), Status.HELD, 0, null, START, START));

    assertThat(late(seconds(60), ALL)).isEmpty();
  }

  @Test
  default void each_sleep_has_a_deadline_of_its_own() {
    writeAll(alice(), waiting("s", kind(), lane(), START, seconds(10)));
    assertThat(late(seconds(10), ALL)).containsExactly("s");
    writeAll(alice(), until(seconds(30), sleeps("s", 1, lane(), seconds(20))));

    assertThat(row("s").deadline()).isEqualTo(seconds(30));
    assertThat(late(seconds(29), ALL)).isEmpty();
    assertThat(late(seconds(30), ALL)).containsExactly("s");
  }

  @Test
  default void a_saga_that_goes_back_to_sleep_is_claimed_again() {
    writeAll(alice(), waiting("s", kind(), lane(), START));
    claimed(START, 1, 1);
    writeAll(alice(), sleeps("s", 1, otherLane(), seconds(60)));

    assertThat(claimed(seconds(60), ALL, ALL)).isEmpty();
    var claimed = store().claimDue(bob(), otherLane(), Set.of(kind()), seconds(60), ALL, ALL);
    assertThat(ids(claimed)).containsExactly("s");
    assertThat(claimed.getFirst().version()).isEqualTo(2);
  }
}
