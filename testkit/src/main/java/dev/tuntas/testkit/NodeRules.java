package dev.tuntas.testkit;

import static dev.tuntas.testkit.Entries.START;
import static dev.tuntas.testkit.Entries.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.SagaStore.Offset;
import dev.tuntas.engine.SagaStore.Peer;
import java.time.Duration;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

/// Life and death of nodes.
interface NodeRules extends StoreUnderTest {

  private long beatOf(int node, int reader) {
    return store().beat(reader).peers().stream()
        .filter(peer -> peer.node() == node)
        .mapToLong(Peer::beat)
        .findFirst()
        .orElseThrow(() -> new AssertionError("node " + node + " does not live"));
  }

  @Test
  default void what_was_told_last_of_time_and_clock_is_what_those_who_join_hear() {
    assertThat(store().offset()).isEmpty();
    store().tell(new Offset(Duration.ofHours(1), START));
    store().tell(new Offset(Duration.ofMinutes(-59), seconds(1)));
    assertThat(store().offset()).contains(new Offset(Duration.ofMinutes(-59), seconds(1)));
  }

  @Test
  default void a_node_id_is_never_used_again() {
    var ids = new HashSet<Integer>();
    for (int i = 0; i < 5; i++) {
      int joined = store().join("same name");
      assertThat(ids.add(joined)).isTrue();
      if (i % 2 == 0) store().leave(joined);
      else dies(joined);
    }
    assertThat(ids).doesNotContain(alice(), bob());

    reopenStore();
    assertThat(ids).doesNotContain(store().join("same name"));
  }

  @Test
  default void a_beat_counts_up_and_reads_everybody() {
    long before = beatOf(alice(), bob());
    assertThat(store().beat(alice()).alive()).isTrue();

    assertThat(beatOf(alice(), bob())).isEqualTo(before + 1);
    assertThat(store().beat(bob()).peers())
        .extracting(Peer::node)
        .containsExactlyInAnyOrder(alice(), bob());
  }

  @Test
  default void a_beat_reads_itself() {
    long before = beatOf(alice(), alice());

    assertThat(beatOf(alice(), alice())).isEqualTo(before + 1);
  }

  @Test
  default void a_node_lives_as_soon_as_it_has_joined() {
    int carol = store().join("carol");

    assertThat(store().beat(alice()).peers()).extracting(Peer::node).contains(carol);
  }

  @Test
  default void who_has_left_is_told_the_time_and_does_not_live() {
    int guest = store().join("guest");
    store().leave(guest);
    var before = store().beat(alice()).storeTime();

    var reading = store().beat(guest);

    assertThat(reading.alive()).isFalse();
    assertThat(reading.storeTime()).isAfterOrEqualTo(before);
    assertThat(reading.peers()).extracting(Peer::node).doesNotContain(guest);
  }

  @Test
  default void the_time_of_the_store_goes_on() {
    var first = store().beat(alice()).storeTime();

    assertThat(store().beat(bob()).storeTime()).isAfterOrEqualTo(first);
  }

  @Test
  default void a_node_whose_beat_stands_still_can_be_declared_dead() {
    assertThat(store().declareDead(alice(), beatOf(alice(), bob()))).isTrue();

    var last = store().beat(alice());
    assertThat(last.alive()).isFalse();
    assertThat(last.peers()).extracting(Peer::node).containsExactly(bob());
    assertThat(store().beat(bob()).alive()).isTrue();
    assertThat(store().beat(bob()).peers()).extracting(Peer::node).containsExactly(bob());
  }

  @Test
  default void a_node_that_has_beaten_since_is_not_declared_dead() {
    long seen = beatOf(alice(), bob());
    store().beat(alice());

    assertThat(store().declareDead(alice(), seen)).isFalse();
    assertThat(store().beat(alice()).alive()).isTrue();
  }

  @Test
  default void a_dead_node_stays_dead() {
    dies(alice());
    store().beat(alice());
    store().beat(alice());

    assertThat(store().beat(alice()).alive()).isFalse();
    reopenStore();
    assertThat(store().beat(alice()).alive()).isFalse();
  }

  @Test
  default void a_node_that_leaves_lives_no_more() {
    store().leave(alice());

    assertThat(store().beat(alice()).alive()).isFalse();
    assertThat(store().beat(bob()).peers()).extracting(Peer::node).containsExactly(bob());
  }
}
