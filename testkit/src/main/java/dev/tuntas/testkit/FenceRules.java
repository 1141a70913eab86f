package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.notice;
import static dev.tuntas.testkit.Entries.rests;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.runningSince;
import static dev.tuntas.testkit.Entries.runs;
import static dev.tuntas.testkit.Entries.seconds;
import static dev.tuntas.testkit.Entries.settling;
import static dev.tuntas.testkit.Entries.sleeps;
import static dev.tuntas.testkit.Entries.waiting;
import static dev.tuntas.testkit.Entries.withData;
import static dev.tuntas.testkit.StoreUnderTest.bits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import dev.tuntas.engine.Write.Applied;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Owner and version together are the fence: a write that does not match both leaves nothing.
interface FenceRules extends StoreUnderTest {

  /// A move with everything that a refused one must not leave behind.
  private void assertLeavesNothing(int node, String id, long version, long pos) {
    var before = row(id);
    var history = store().history(id);
    var notices = eventIds();

    var move = withData(runs(id, version, notice("refused")), "refused");
    assertThat(write(node, settling(move, new Applied(pos, "refused")))).isFalse();

    assertThat(row(id)).isEqualTo(before);
    assertThat(store().history(id)).isEqualTo(history);
    assertThat(eventIds()).isEqualTo(notices);
    assertThat(store().verdict("bank", "x")).isEmpty();
  }

  @Test
  default void another_node_cannot_move_a_saga() {
    writeAll(alice(), running("s", kind()));
    long pos = tell(alice(), "s", "x");

    assertLeavesNothing(bob(), "s", 1, pos);
    assertThat(store().pending(alice(), ALL)).hasSize(1);
  }

  @Test
  default void a_version_of_the_past_or_the_future_cannot_be_moved() {
    writeAll(alice(), running("s", kind()));
    long pos = tell(alice(), "s", "x");
    writeAll(alice(), runs("s", 1));

    assertLeavesNothing(alice(), "s", 1, pos);
    assertLeavesNothing(alice(), "s", 3, pos);
    assertThat(write(alice(), runs("s", 2))).isTrue();
  }

  @Test
  default void the_same_move_is_written_once() {
    writeAll(alice(), running("s", kind()));
    var move = runs("s", 1, notice("once"));

    assertThat(write(alice(), move)).isTrue();
    assertThat(write(alice(), move)).isFalse();

    assertThat(row("s").version()).isEqualTo(2);
    assertThat(eventIds()).containsExactly("s/2/0");
  }

  @Test
  default void a_saga_that_nobody_owns_cannot_be_moved() {
    writeAll(alice(), running("W", kind()), running("H", kind()), running("D", kind()));
    long pos = tell(alice(), "W", "x");
    writeAll(
        alice(),
        sleeps("W", 1, lane(), seconds(9)),
        rests("H", 1, Status.HELD),
        rests("D", 1, Status.DONE));

    for (var id : List.of("W", "H", "D")) assertLeavesNothing(alice(), id, 2, pos);
  }

  @Test
  default void the_former_owner_cannot_move_a_saga_that_was_claimed_by_another() {
    writeAll(alice(), running("s", kind()));
    long pos = tell(alice(), "s", "x");
    writeAll(alice(), sleeps("s", 1, lane(), START));
    store().claimDue(bob(), lane(), Set.of(kind()), START, 1, 1);

    assertLeavesNothing(alice(), "s", 2, pos);
    assertThat(write(bob(), runs("s", 2))).isTrue();
  }

  @Test
  default void the_former_owner_cannot_move_a_saga_that_was_taken_over() {
    writeAll(alice(), running("s", kind()));
    long pos = tell(alice(), "s", "x");
    dies(alice());
    store().takeOver(bob(), Set.of(kind()), ALL);

    assertLeavesNothing(alice(), "s", 1, pos);
    assertThat(store().pending(bob(), ALL)).hasSize(1);
    assertThat(write(bob(), runs("s", 1))).isTrue();
  }

  @Test
  default void a_dead_node_still_writes_what_nobody_has_taken_over() {
    writeAll(alice(), running("s", kind()));
    dies(alice());

    assertThat(write(alice(), rests("s", 1, Status.DONE))).isTrue();
    assertThat(store().takeOver(bob(), Set.of(kind()), ALL)).isEmpty();
  }

  @Test
  default void a_node_finds_out_what_it_wrote() {
    writeAll(alice(), running("mine", kind()), running("moved", kind()));
    writeAll(bob(), running("his", kind()));
    var batch =
        List.<Write>of(
            runs("his", 1),
            runs("moved", 1),
            waiting("new", kind(), lane(), START),
            runs("mine", 5));
    store().commit(alice(), batch);

    assertThat(bits(store().wrote(alice(), batch))).containsExactly(1, 2);
    assertThat(bits(store().wrote(bob(), batch))).isEmpty();
  }

  @Test
  default void a_node_finds_out_what_it_wrote_though_the_saga_has_moved_on() {
    writeAll(alice(), running("s", kind()));
    var move = sleeps("s", 1, lane(), START);
    writeAll(alice(), move);
    store().claimDue(bob(), lane(), Set.of(kind()), START, 1, 1);
    writeAll(bob(), rests("s", 2, Status.DONE));

    assertThat(bits(store().wrote(alice(), List.of(move)))).containsExactly(0);
    assertThat(bits(store().wrote(bob(), List.of(rests("s", 2, Status.DONE))))).containsExactly(0);
    assertThat(bits(store().wrote(alice(), List.of(rests("s", 2, Status.DONE))))).isEmpty();
  }

  @Test
  default void a_node_tells_its_own_second_start_of_an_id_from_the_first() {
    var first = runningSince(seconds(1), "s", kind());
    var second = runningSince(seconds(2), "s", kind());
    writeAll(alice(), first);

    assertThat(bits(store().wrote(alice(), List.of(first)))).containsExactly(0);
    assertThat(bits(store().wrote(alice(), List.of(second)))).isEmpty();
  }

  @Test
  default void a_node_wrote_nothing_that_was_never_sent() {
    var batch = List.<Write>of(running("s", kind()), runs("t", 1));

    assertThat(bits(store().wrote(alice(), batch))).isEmpty();
  }
}
