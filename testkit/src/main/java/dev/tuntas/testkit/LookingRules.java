package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.LATER;
import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.insert;
import static dev.tuntas.testkit.Entries.resting;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.runningSince;
import static dev.tuntas.testkit.Entries.seconds;
import static dev.tuntas.testkit.Entries.waiting;
import static dev.tuntas.testkit.StoreUnderTest.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Status;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// What can be read without owning anything.
interface LookingRules extends StoreUnderTest {

  @Test
  default void an_unknown_saga_has_no_row_and_no_history() {
    assertThat(store().find("nobody")).isEmpty();
    assertThat(store().history("nobody")).isEmpty();
    assertThat(store().verdict("bank", "nothing")).isEmpty();
  }

  @Test
  default void ids_differ_by_case_and_by_every_character() {
    writeAll(alice(), running("s", kind()), running("S", kind()), running("s ", kind()));

    assertThat(List.of(row("s").id(), row("S").id(), row("s ").id()))
        .containsExactly("s", "S", "s ");
    assertThat(store().find(" s")).isEmpty();
  }

  @Test
  default void those_that_ended_are_found_with_how() {
    writeAll(
        alice(),
        running("running", kind()),
        waiting("waiting", kind(), lane(), START),
        resting("held", kind(), Status.HELD),
        resting("done", kind(), Status.DONE),
        resting("undone", kind(), Status.UNDONE),
        resting("not asked for", kind(), Status.DONE));

    var asked = List.of("done", "running", "waiting", "held", "undone", "absent");
    assertThat(store().ended(asked))
        .containsExactlyInAnyOrderEntriesOf(Map.of("done", Status.DONE, "undone", Status.UNDONE));
    assertThat(store().ended(List.of())).isEmpty();
  }

  @Test
  default void the_last_move_is_that_of_one_that_ended_runs_or_waits() {
    assertThat(store().lastMove()).isEmpty();
    writeAll(alice(), resting(seconds(1), "ended", kind(), Status.DONE));
    assertThat(store().lastMove()).contains(seconds(1));
    writeAll(alice(), runningSince(seconds(2), "running", kind()));
    assertThat(store().lastMove()).contains(seconds(2));
    writeAll(
        alice(),
        insert("waiting", kind(), Status.WAITING, lane(), LATER, LATER, seconds(3)),
        resting(START, "earlier", kind(), Status.DONE));
    assertThat(store().lastMove()).contains(seconds(3));
  }

  @Test
  default void many_ids_can_be_asked_for_at_once() {
    var ids = IntStream.range(0, 5_000).mapToObj(i -> "s-" + i).toList();
    writeAll(alice(), resting("s-4321", kind(), Status.DONE));

    assertThat(store().ended(ids)).containsOnlyKeys("s-4321");
  }

  @Test
  default void sagas_that_nobody_took_are_overdue() {
    writeAll(
        alice(),
        runningSince(seconds(10), "running", kind()),
        waiting("overdue", kind(), lane(), seconds(20)),
        waiting("overdue elsewhere", otherKind(), otherLane(), seconds(30)),
        waiting("not yet", kind(), lane(), seconds(90)),
        resting("held", kind(), Status.HELD),
        resting("done", kind(), Status.DONE));

    var overdue = store().overdue(seconds(60), ALL);

    assertThat(ids(overdue)).containsExactly("overdue", "overdue elsewhere");
    assertThat(overdue).allSatisfy(row -> assertThat(row).isEqualTo(row(row.id())));
    assertThat(ids(store().overdue(seconds(60), 1))).containsExactly("overdue");
    assertThat(store().overdue(START, ALL)).isEmpty();
  }

  @Test
  default void looking_changes_nothing() {
    writeAll(alice(), running("s", kind()), waiting("w", kind(), lane(), START));
    var before = List.of(row("s"), row("w"));

    store().overdue(LATER, ALL);
    store().ownedBy(alice(), LATER, LATER, ALL);
    store().ended(List.of("s", "w"));

    assertThat(List.of(row("s"), row("w"))).isEqualTo(before);
  }
}
