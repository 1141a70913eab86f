package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class MemoryConsumerInboxTest {

  private final MemoryConsumerInbox inbox = new MemoryConsumerInbox();

  private boolean firstTime(String consumer, String eventId, Instant at) {
    return inbox.firstTime(RefusedConnection.CONNECTION, consumer, eventId, at);
  }

  @Test
  void each_consumer_sees_an_event_for_the_first_time_once() {
    assertThat(firstTime("mail", "s/1/0", START)).isTrue();
    assertThat(firstTime("mail", "s/1/0", seconds(1))).isFalse();
    assertThat(firstTime("ledger", "s/1/0", START)).isTrue();
    assertThat(firstTime("mail", "s/1/1", START)).isTrue();
  }

  @Test
  void old_notes_are_deleted_in_bounded_batches() {
    for (int i = 0; i < 3; i++) firstTime("mail", "s/1/" + i, seconds(i));
    firstTime("mail", "young", seconds(90));

    assertThat(inbox.purge(seconds(60), 2)).isEqualTo(2);
    assertThat(inbox.purge(seconds(60), 2)).isEqualTo(1);
    assertThat(inbox.purge(seconds(60), 2)).isZero();
    assertThat(firstTime("mail", "s/1/0", seconds(99))).isTrue();
    assertThat(firstTime("mail", "young", seconds(99))).isFalse();
  }
}
