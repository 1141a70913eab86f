package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.DEADLINE;
import static dev.tuntas.testkit.Entries.LATER;
import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.insert;
import static dev.tuntas.testkit.Entries.notice;
import static dev.tuntas.testkit.Entries.resting;
import static dev.tuntas.testkit.Entries.rests;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.runs;
import static dev.tuntas.testkit.Entries.seconds;
import static dev.tuntas.testkit.Entries.settling;
import static dev.tuntas.testkit.Entries.signal;
import static dev.tuntas.testkit.Entries.waiting;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.SagaStore.Put;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write.Applied;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is deleted, and what never is.
interface RetentionRules extends StoreUnderTest {

  @Test
  default void sagas_that_ended_before_are_deleted() {
    writeAll(
        alice(),
        resting(seconds(10), "done", kind(), Status.DONE),
        resting(seconds(20), "undone", kind(), Status.UNDONE),
        resting(seconds(90), "young", kind(), Status.DONE));

    assertThat(store().purgeEnded(seconds(60), ALL)).isEqualTo(2);

    assertThat(store().find("done")).isEmpty();
    assertThat(store().find("undone")).isEmpty();
    assertThat(store().find("young")).isPresent();
    assertThat(store().purgeEnded(seconds(60), ALL)).isZero();
  }

  @Test
  default void a_saga_is_deleted_by_when_it_ended_not_by_when_it_began() {
    writeAll(alice(), running("s", kind()));
    writeAll(alice(), Entries.at(seconds(90), rests("s", 1, Status.DONE)));

    assertThat(store().purgeEnded(seconds(60), ALL)).isZero();
    assertThat(store().purgeEnded(LATER, ALL)).isEqualTo(1);
  }

  @Test
  default void sagas_that_have_not_ended_are_never_deleted() {
    writeAll(
        alice(),
        running("running", kind()),
        waiting("waiting", kind(), lane(), START),
        resting("held", kind(), Status.HELD));

    assertThat(store().purgeEnded(LATER, ALL)).isZero();
    for (var id : List.of("running", "waiting", "held")) {
      assertThat(store().find(id)).isPresent();
      assertThat(store().history(id)).hasSize(1);
    }
  }

  @Test
  default void no_more_sagas_are_deleted_than_the_limit() {
    for (int i = 0; i < 5; i++) writeAll(alice(), resting("s-" + i, kind(), Status.DONE));

    assertThat(store().purgeEnded(LATER, 3)).isEqualTo(3);
    assertThat(store().purgeEnded(LATER, 3)).isEqualTo(2);
    assertThat(store().purgeEnded(LATER, 3)).isZero();
  }

  @Test
  default void history_and_inbox_go_with_their_saga_and_with_no_other() {
    writeAll(alice(), running("s", kind()), running("t", kind()));
    long x = tell(alice(), "s", "x");
    long y = tell(alice(), "t", "y");
    writeAll(
        alice(),
        settling(rests("s", 1, Status.DONE), new Applied(x, "taken")),
        settling(runs("t", 1), new Applied(y, "taken")));

    assertThat(store().purgeEnded(LATER, ALL)).isEqualTo(1);

    assertThat(store().history("s")).isEmpty();
    assertThat(store().verdict("bank", "x")).isEmpty();
    assertThat(store().put("s", signal("x"), START)).isEqualTo(Put.NEW);
    assertThat(store().history("t")).hasSize(2);
    assertThat(store().verdict("bank", "y")).contains("taken");
  }

  @Test
  default void a_deleted_id_can_begin_again() {
    writeAll(alice(), resting("s", kind(), Status.DONE));
    store().purgeEnded(LATER, ALL);

    assertThat(write(bob(), running("s", kind()))).isTrue();
    assertThat(write(bob(), runs("s", 1))).isTrue();
    assertThat(store().history("s")).hasSize(2);
  }

  @Test
  default void notices_that_were_not_published_survive_their_saga() {
    writeAll(
        alice(),
        insert("s", kind(), Status.DONE, 0, null, DEADLINE, START, notice("still to be told")));
    store().purgeEnded(LATER, ALL);

    assertThat(eventIds()).containsExactly("s/1/0");
  }

  @Test
  default void applied_inbox_rows_stay_as_long_as_their_saga() {
    writeAll(alice(), running("s", kind()));
    long x = tell(alice(), "s", "x");
    writeAll(alice(), settling(runs("s", 1), new Applied(x, "taken")));

    assertThat(store().purgeInbox(distantFuture(), ALL)).isZero();
    assertThat(store().verdict("bank", "x")).contains("taken");
    assertThat(store().put("s", signal("x"), LATER)).isEqualTo(Put.KNOWN);
  }

  @Test
  default void inbox_rows_whose_saga_never_came_are_deleted() {
    store().put("never", signal("old"), seconds(10));
    store().put("never", signal("young"), seconds(90));
    store().put("came", signal("early"), seconds(10));
    writeAll(alice(), running("came", kind()));

    assertThat(store().purgeInbox(seconds(60), ALL)).isEqualTo(1);

    assertThat(store().put("never", signal("young"), LATER)).isEqualTo(Put.KNOWN);
    assertThat(store().put("never", signal("old"), LATER)).isEqualTo(Put.NEW);
    assertThat(store().pending(alice(), ALL)).hasSize(1);
  }

  @Test
  default void inbox_rows_that_a_saga_has_yet_to_apply_are_never_deleted() {
    writeAll(alice(), running("running", kind()), waiting("waiting", kind(), lane(), LATER));
    writeAll(alice(), resting("held", kind(), Status.HELD));
    for (var id : List.of("running", "waiting", "held")) store().put(id, signal(id), START);

    assertThat(store().purgeInbox(LATER, ALL)).isZero();
  }

  @Test
  default void no_more_inbox_rows_are_deleted_than_the_limit() {
    for (int i = 0; i < 5; i++) store().put("never", signal("x-" + i), START);

    assertThat(store().purgeInbox(LATER, 3)).isEqualTo(3);
    assertThat(store().purgeInbox(LATER, 3)).isEqualTo(2);
    assertThat(store().purgeInbox(LATER, 3)).isZero();
  }

  /// After whatever a store's own clock shows, in case it notes by that when a row was applied.
  private static Instant distantFuture() {
    return Instant.parse("2200-01-01T00:00:00Z");
  }
}
