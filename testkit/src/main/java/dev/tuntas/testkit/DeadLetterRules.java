package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.LATER;
import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.notice;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.runs;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Outbox.DeadLetter;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A notice that was given up on waits for a person, and its saga's later ones wait behind it.
interface DeadLetterRules extends StoreUnderTest {

  /// Notices s/1/0, s/2/0 and t/1/0, of which the first is dead. Returns where it is.
  private long firstIsDead() {
    writeAll(alice(), running("s", kind(), notice("s1")));
    writeAll(alice(), runs("s", 1, notice("s2")));
    writeAll(alice(), running("t", kind(), notice("t1")));
    long pos = outbox().next(LATER, 1).getFirst().pos();
    outbox().bury(pos, "refused for good");
    return pos;
  }

  private List<String> deadIds() {
    return outbox().deadLetters(ALL).stream().map(letter -> letter.entry().eventId()).toList();
  }

  @Test
  default void a_dead_letter_is_kept_with_its_error() {
    writeAll(alice(), running("s", kind(), notice("s1")));
    var entry = outbox().next(LATER, 1).getFirst();

    outbox().bury(entry.pos(), "refused for good");

    assertThat(outbox().deadLetters(ALL))
        .containsExactly(new DeadLetter(entry, "refused for good"));
    assertThat(eventIds()).isEmpty();
  }

  @Test
  default void a_dead_letter_holds_back_only_its_own_saga() {
    firstIsDead();
    writeAll(alice(), runs("s", 2, notice("s3")));

    assertThat(eventIds()).containsExactly("t/1/0");
    assertThat(outbox().lag().waiting()).isEqualTo(3);
    assertThat(outbox().lag().dead()).isEqualTo(1);
  }

  @Test
  default void a_dead_letter_does_not_hold_back_those_before_it() {
    writeAll(alice(), running("s", kind(), notice("s1"), notice("s2"), notice("s3")));
    var entries = outbox().next(LATER, ALL);
    outbox().bury(entries.get(1).pos(), "refused for good");
    assertThat(eventIds()).containsExactly("s/1/0");

    outbox().failed(entries.getFirst().pos(), "broker away", START);
    assertThat(eventIds()).containsExactly("s/1/0");
  }

  @Test
  default void a_failed_notice_can_be_given_up_on() {
    writeAll(alice(), running("s", kind(), notice("s1")));
    long pos = outbox().next(LATER, 1).getFirst().pos();
    outbox().failed(pos, "broker away", LATER);
    outbox().bury(pos, "too often");

    assertThat(eventIds()).isEmpty();
    assertThat(outbox().deadLetters(ALL).getFirst().error()).isEqualTo("too often");
    assertThat(outbox().revive(pos)).isTrue();
    assertThat(eventIds()).containsExactly("s/1/0");
  }

  @Test
  default void a_revived_letter_is_the_head_of_its_saga_under_the_same_event_id() {
    long pos = firstIsDead();

    assertThat(outbox().revive(pos)).isTrue();

    assertThat(eventIds()).containsExactly("s/1/0", "s/2/0", "t/1/0");
    assertThat(deadIds()).isEmpty();
    assertThat(outbox().lag().dead()).isZero();
  }

  @Test
  default void a_revived_letter_can_be_published_and_fail_and_die_again() {
    long pos = firstIsDead();
    outbox().revive(pos);
    outbox().bury(pos, "again");
    assertThat(outbox().deadLetters(ALL).getFirst().error()).isEqualTo("again");

    outbox().revive(pos);
    outbox().published(List.of(pos));
    assertThat(eventIds()).containsExactly("s/2/0", "t/1/0");
  }

  @Test
  default void a_discarded_letter_is_gone_and_its_saga_goes_on() {
    long pos = firstIsDead();

    assertThat(outbox().discard(pos)).isTrue();

    assertThat(deadIds()).isEmpty();
    assertThat(eventIds()).containsExactly("s/2/0", "t/1/0");
    assertThat(outbox().revive(pos)).isFalse();
  }

  @Test
  default void only_dead_letters_are_revived_or_discarded() {
    long dead = firstIsDead();
    long waiting = outbox().next(LATER, ALL).getFirst().pos();

    assertThat(outbox().revive(waiting)).isFalse();
    assertThat(outbox().discard(waiting)).isFalse();
    assertThat(outbox().revive(987_654)).isFalse();
    assertThat(outbox().discard(987_654)).isFalse();
    assertThat(eventIds()).containsExactly("t/1/0");

    assertThat(outbox().discard(dead)).isTrue();
    assertThat(outbox().discard(dead)).isFalse();
  }

  @Test
  default void a_revived_letter_is_revived_once() {
    long dead = firstIsDead();

    assertThat(outbox().revive(dead)).isTrue();
    assertThat(outbox().revive(dead)).isFalse();
  }

  @Test
  default void no_more_dead_letters_than_the_limit_are_shown() {
    firstIsDead();
    outbox().bury(outbox().next(LATER, ALL).getFirst().pos(), "refused too");

    assertThat(outbox().deadLetters(1)).hasSize(1);
    assertThat(deadIds()).containsExactlyInAnyOrder("s/1/0", "t/1/0");
  }

  @Test
  default void a_dead_letter_outlives_a_restart() {
    firstIsDead();
    reopenStore();

    assertThat(deadIds()).containsExactly("s/1/0");
    assertThat(eventIds()).containsExactly("t/1/0");
  }
}
