package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.LATER;
import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.notice;
import static dev.tuntas.testkit.Entries.running;
import static dev.tuntas.testkit.Entries.runs;
import static dev.tuntas.testkit.Entries.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.Outbox.Entry;
import dev.tuntas.saga.Notice;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Notices leave in order per saga, and a failed one holds back only its own saga.
interface OutboxRules extends StoreUnderTest {

  private List<String> nextAt(Instant now) {
    return outbox().next(now, ALL).stream().map(Entry::eventId).toList();
  }

  private long posOf(String eventId) {
    return outbox().next(LATER, ALL).stream()
        .filter(entry -> entry.eventId().equals(eventId))
        .mapToLong(Entry::pos)
        .findFirst()
        .orElseThrow(() -> new AssertionError(eventId + " does not wait"));
  }

  /// Two sagas whose notices alternate.
  private void twoSagas() {
    writeAll(alice(), running("s", kind(), notice("s1")));
    writeAll(alice(), running("t", kind(), notice("t1")));
    writeAll(alice(), runs("s", 1, notice("s2")));
    writeAll(alice(), runs("t", 1, notice("t2")));
  }

  @Test
  default void a_notice_waits_as_it_was_written() {
    writeAll(alice(), running("s", kind()));
    writeAll(alice(), runs("s", 1, new Notice("order.paid", "{}"), new Notice("mail", "hello")));

    assertThat(outbox().next(START, ALL))
        .extracting(
            Entry::sagaId,
            Entry::version,
            Entry::seq,
            Entry::type,
            Entry::body,
            Entry::at,
            Entry::attempts,
            Entry::eventId)
        .containsExactly(
            tuple("s", 2L, 0, "order.paid", "{}", seconds(1), 0, "s/2/0"),
            tuple("s", 2L, 1, "mail", "hello", seconds(1), 0, "s/2/1"));
  }

  @Test
  default void notices_wait_in_the_order_of_their_commits() {
    twoSagas();

    assertThat(eventIds()).containsExactly("s/1/0", "t/1/0", "s/2/0", "t/2/0");
    assertThat(outbox().next(LATER, ALL)).extracting(Entry::pos).isSorted().doesNotHaveDuplicates();
  }

  @Test
  default void no_more_notices_than_the_limit_come_and_they_are_the_oldest() {
    twoSagas();

    assertThat(outbox().next(LATER, 3))
        .extracting(Entry::eventId)
        .containsExactly("s/1/0", "t/1/0", "s/2/0");
    assertThat(outbox().next(LATER, 0)).isEmpty();
  }

  @Test
  default void notices_come_again_until_they_are_published() {
    twoSagas();
    assertThat(eventIds()).isEqualTo(eventIds());

    outbox().published(List.of(posOf("s/1/0"), posOf("t/2/0")));
    assertThat(eventIds()).containsExactly("t/1/0", "s/2/0");
  }

  @Test
  default void many_notices_are_published_at_once() {
    var many = Collections.nCopies(3_000, notice("n")).toArray(Notice[]::new);
    writeAll(alice(), running("s", kind(), many));
    var positions = outbox().next(LATER, ALL).stream().map(Entry::pos).toList();

    outbox().published(positions.subList(0, 2_999));
    assertThat(eventIds()).containsExactly("s/1/2999");
  }

  @Test
  default void a_notice_may_be_published_twice_or_not_at_all() {
    twoSagas();
    long pos = posOf("s/1/0");

    outbox().published(List.of(pos));
    outbox().published(List.of(pos));
    outbox().published(List.of());
    outbox().failed(pos, "too late", LATER);
    outbox().bury(pos, "too late");

    assertThat(eventIds()).containsExactly("t/1/0", "s/2/0", "t/2/0");
    assertThat(outbox().deadLetters(ALL)).isEmpty();
  }

  @Test
  default void a_position_that_is_named_twice_takes_no_other_with_it() {
    twoSagas();
    long first = posOf("s/1/0");
    outbox().published(List.of(first, first, posOf("s/2/0")));
    assertThat(nextAt(START)).containsExactly("t/1/0", "t/2/0");
  }

  @Test
  default void a_failed_notice_holds_back_its_own_saga_until_its_retry() {
    twoSagas();
    outbox().failed(posOf("s/1/0"), "broker away", seconds(60));

    assertThat(nextAt(seconds(60).minusMillis(1))).containsExactly("t/1/0", "t/2/0");
    assertThat(nextAt(seconds(60))).containsExactly("s/1/0", "t/1/0", "s/2/0", "t/2/0");
  }

  @Test
  default void a_failed_notice_does_not_use_up_the_limit() {
    twoSagas();
    outbox().failed(posOf("s/1/0"), "broker away", seconds(60));

    assertThat(outbox().next(START, 2))
        .extracting(Entry::eventId)
        .containsExactly("t/1/0", "t/2/0");
  }

  @Test
  default void notices_that_come_later_wait_behind_a_failed_one() {
    writeAll(alice(), running("s", kind(), notice("s1")));
    outbox().failed(posOf("s/1/0"), "broker away", seconds(60));
    writeAll(alice(), runs("s", 1, notice("s2")));

    assertThat(nextAt(START)).isEmpty();
    assertThat(nextAt(seconds(60))).containsExactly("s/1/0", "s/2/0");
  }

  @Test
  default void a_failed_notice_does_not_hold_back_those_before_it() {
    twoSagas();
    outbox().failed(posOf("s/2/0"), "broker away", seconds(60));

    assertThat(nextAt(START)).containsExactly("s/1/0", "t/1/0", "t/2/0");
  }

  @Test
  default void each_failed_notice_of_a_saga_waits_for_its_own_retry() {
    twoSagas();
    outbox().failed(posOf("s/2/0"), "broker away", seconds(90));
    outbox().failed(posOf("s/1/0"), "broker away", seconds(60));

    assertThat(nextAt(seconds(60))).containsExactly("s/1/0", "t/1/0", "t/2/0");
    assertThat(nextAt(seconds(90))).containsExactly("s/1/0", "t/1/0", "s/2/0", "t/2/0");
  }

  @Test
  default void a_saga_goes_on_once_its_failed_notice_is_published() {
    twoSagas();
    long pos = posOf("s/1/0");
    outbox().failed(pos, "broker away", seconds(60));
    outbox().published(List.of(pos));

    assertThat(nextAt(START)).containsExactly("t/1/0", "s/2/0", "t/2/0");
  }

  @Test
  default void attempts_are_counted() {
    writeAll(alice(), running("s", kind(), notice("s1")));
    long pos = posOf("s/1/0");

    outbox().failed(pos, "broker away", seconds(1));
    outbox().failed(pos, "broker away", seconds(2));

    assertThat(nextAt(seconds(1))).isEmpty();
    var entry = outbox().next(seconds(2), ALL).getFirst();
    assertThat(entry.attempts()).isEqualTo(2);
    assertThat(entry.eventId()).isEqualTo("s/1/0");
  }

  @Test
  default void what_is_postponed_waits_as_after_a_failure_and_no_attempt_is_counted() {
    twoSagas();
    long pos = posOf("s/1/0");

    outbox().failed(pos, "broker away", seconds(1));
    outbox().postpone(pos, "our database is away", seconds(60));

    assertThat(nextAt(seconds(59))).containsExactly("t/1/0", "t/2/0");
    var entry = outbox().next(seconds(60), ALL).getFirst();
    assertThat(entry.eventId()).isEqualTo("s/1/0");
    assertThat(entry.attempts()).isEqualTo(1);
  }

  @Test
  default void lag_says_how_many_wait_and_since_when() {
    assertThat(outbox().lag()).isEqualTo(new Outbox.Lag(0, 0, null));

    writeAll(alice(), running("s", kind(), notice("s1")));
    writeAll(alice(), runs("s", 1, notice("s2")));
    assertThat(outbox().lag()).isEqualTo(new Outbox.Lag(2, 0, START));

    outbox().published(List.of(posOf("s/1/0")));
    assertThat(outbox().lag()).isEqualTo(new Outbox.Lag(1, 0, seconds(1)));

    outbox().published(List.of(posOf("s/2/0")));
    assertThat(outbox().lag()).isEqualTo(new Outbox.Lag(0, 0, null));
  }

  @Test
  default void lag_counts_notices_that_are_held_back() {
    twoSagas();
    outbox().failed(posOf("s/1/0"), "broker away", seconds(60));

    assertThat(outbox().lag()).isEqualTo(new Outbox.Lag(4, 0, START));
  }

  @Test
  default void what_happened_to_a_notice_outlives_a_restart() {
    twoSagas();
    outbox().failed(posOf("s/1/0"), "broker away", seconds(60));
    outbox().published(List.of(posOf("t/1/0")));

    reopenStore();

    assertThat(nextAt(START)).containsExactly("t/2/0");
    assertThat(nextAt(seconds(60))).containsExactly("s/1/0", "s/2/0", "t/2/0");
  }
}
