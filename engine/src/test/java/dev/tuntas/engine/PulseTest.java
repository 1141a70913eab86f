package dev.tuntas.engine;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Life and death: node 2 is ours, node 7 is watched.
class PulseTest {

  private static final int OURS = 2;
  private static final int OTHER = 7;
  private static final Duration BEAT = ofMillis(500);

  private final Beats beats = new Beats();
  private long nanos = 1_000_000_007L;
  private final Pulse pulse =
      new Pulse(ScriptedStore.of(beats), OURS, EngineSettings.standard(), () -> nanos, true);

  /// The part of a store that knows who lives.
  public static final class Beats {
    private final Map<Integer, Long> beats = new TreeMap<>(Map.of(OURS, 0L, OTHER, 0L));
    private final List<Integer> declaredDead = new ArrayList<>();
    private Instant time = Story.START;
    private @Nullable Instant lastMove;
    private SagaStore.@Nullable Offset offset;
    private boolean away;
    private boolean refusesDeath;
    private Runnable slow = () -> {};

    public SagaStore.Reading beat(int node) {
      slow.run();
      if (away) throw new StoreException(StoreException.Kind.UNKNOWN, "beat", null);
      boolean alive = beats.computeIfPresent(node, (_, beat) -> beat + 1) != null;
      var peers =
          beats.entrySet().stream()
              .map(entry -> new SagaStore.Peer(entry.getKey(), entry.getValue()))
              .toList();
      return new SagaStore.Reading(alive, time, peers);
    }

    public void tell(SagaStore.Offset told) {
      offset = told;
    }

    public Optional<SagaStore.Offset> offset() {
      return Optional.ofNullable(offset);
    }

    public Optional<Instant> lastMove() {
      return Optional.ofNullable(lastMove);
    }

    public boolean declareDead(int node, long beatSeen) {
      if (refusesDeath || !beats.remove(node, beatSeen)) return false;
      declaredDead.add(node);
      return true;
    }
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
    beats.time = beats.time.plus(time);
  }

  private void beatFor(Duration time, boolean otherLives) {
    for (long millis = 0; millis < time.toMillis(); millis += BEAT.toMillis()) {
      pass(BEAT);
      if (otherLives) beats.beats.computeIfPresent(OTHER, (_, beat) -> beat + 1);
      pulse.beat();
    }
  }

  private void failFor(Duration time) {
    beats.away = true;
    for (long millis = 0; millis < time.toMillis(); millis += BEAT.toMillis()) {
      pass(BEAT);
      assertThatExceptionOfType(StoreException.class).isThrownBy(pulse::beat);
    }
    beats.away = false;
  }

  @Test
  void who_beats_lives() {
    beatFor(ofSeconds(60), true);
    assertThat(beats.declaredDead).isEmpty();
    assertThat(pulse.living()).isEqualTo(2);
  }

  @Test
  void who_stands_still_for_three_seconds_is_dead_and_not_before() {
    beatFor(ofMillis(2_500), false);
    assertThat(beats.declaredDead).isEmpty();
    assertThat(pulse.buried()).isZero();
    beatFor(BEAT, false);
    assertThat(beats.declaredDead).containsExactly(OTHER);
    assertThat(pulse.buried()).isEqualTo(1);
    beatFor(BEAT, false);
    assertThat(pulse.living()).isEqualTo(1);
  }

  @Test
  void one_beat_in_time_starts_the_count_again() {
    beatFor(ofMillis(2_500), false);
    beatFor(BEAT, true);
    beatFor(ofMillis(2_500), false);
    assertThat(beats.declaredDead).isEmpty();
  }

  @Test
  void a_clock_that_jumps_kills_nobody() {
    for (var jump : List.of(Duration.ofDays(9), Duration.ofDays(-30), ofSeconds(10))) {
      beats.time = beats.time.plus(jump);
      beatFor(ofSeconds(2), false);
      beatFor(BEAT, true);
    }
    assertThat(beats.declaredDead).isEmpty();
    assertThat(pulse.mayCall()).isTrue();
  }

  @Test
  void standing_still_while_nobody_could_read_proves_nothing() {
    beatFor(BEAT, true);
    failFor(ofSeconds(60)); // nobody could beat either
    beatFor(BEAT, false);
    assertThat(beats.declaredDead).isEmpty();
    beatFor(ofSeconds(1), false);
    assertThat(beats.declaredDead).isEmpty();
    beatFor(BEAT, true);
    beatFor(ofSeconds(2), false);
    assertThat(beats.declaredDead).isEmpty();
  }

  @Test
  void who_beats_again_just_before_the_verdict_lives() {
    beats.refusesDeath = true;
    beatFor(ofSeconds(3), false);
    beats.refusesDeath = false;
    beatFor(BEAT, true);
    assertThat(beats.declaredDead).isEmpty();
    assertThat(pulse.living()).isEqualTo(2);
  }

  @Test
  void a_death_that_was_refused_is_tried_again() {
    beats.refusesDeath = true;
    beatFor(ofSeconds(4), false);
    assertThat(pulse.buried()).isZero();
    beats.refusesDeath = false;
    beatFor(BEAT, false);
    assertThat(beats.declaredDead).containsExactly(OTHER);
  }

  @Test
  void no_call_begins_two_and_a_half_seconds_after_the_last_good_beat() {
    beatFor(BEAT, true);
    pass(ofMillis(2_499));
    assertThat(pulse.mayCall()).isTrue();
    pass(ofMillis(1));
    assertThat(pulse.mayCall()).isFalse();
    pulse.beat();
    assertThat(pulse.mayCall()).isTrue();
  }

  @Test
  void a_beat_that_failed_is_no_beat() {
    failFor(ofMillis(2_500));
    assertThat(pulse.mayCall()).isFalse();
  }

  @Test
  void a_slow_beat_counts_from_when_it_was_begun() {
    beats.slow = () -> pass(ofSeconds(2));
    pulse.beat();
    pass(ofMillis(499));
    assertThat(pulse.mayCall()).isTrue();
    pass(ofMillis(1));
    assertThat(pulse.mayCall()).isFalse();
  }

  @Test
  void who_was_declared_dead_knows_it_and_calls_nobody() {
    beats.beats.remove(OURS);
    pass(BEAT);
    pulse.beat();
    assertThat(pulse.isDead()).isTrue();
    assertThat(pulse.mayCall()).isFalse();
    assertThat(pulse.isLowest()).isFalse();
  }

  @Test
  void the_living_node_with_the_lowest_number_relays() {
    assertThat(pulse.isLowest()).isTrue();
    beats.beats.put(1, 0L);
    beatFor(BEAT, true);
    assertThat(pulse.isLowest()).isFalse();
    beatFor(ofSeconds(4), true); // node 1 never beats
    assertThat(beats.declaredDead).containsExactly(1);
    assertThat(pulse.isLowest()).isTrue();
  }

  @Test
  void its_time_is_the_stores_carried_on_by_its_own_clock() {
    assertThat(pulse.now()).isEqualTo(Story.START);
    nanos += ofMillis(1_234).toNanos() + 999_999;
    assertThat(pulse.now()).isEqualTo(Story.START.plusMillis(1_234));
    assertThat(pulse.instant()).isEqualTo(pulse.now());
  }

  @Test
  void a_store_whose_clock_is_set_moves_no_deadline_at_once() {
    beatFor(ofSeconds(2), true);
    beats.time = beats.time.plus(Duration.ofHours(1));
    beatFor(ofSeconds(2), true);
    assertThat(pulse.now()).isBetween(Story.START.plusSeconds(4), Story.START.plusSeconds(5));
    beats.time = beats.time.minus(Duration.ofHours(3));
    beatFor(ofSeconds(2), true);
    assertThat(pulse.now()).isBetween(Story.START.plusSeconds(6), Story.START.plusSeconds(7));
  }

  @Test
  void who_begins_on_a_clock_that_was_set_back_goes_on_from_the_last_move() {
    beats.lastMove = Story.START.plusSeconds(3_600);
    assertThat(begun().now()).isEqualTo(beats.lastMove);
    beats.lastMove = Story.START.minusSeconds(3_600);
    assertThat(begun().now()).as("it was away for an hour").isEqualTo(Story.START);
    beats.lastMove = Story.START.plus(Duration.ofDays(365));
    assertThat(begun().now()).as("that was never right").isEqualTo(Story.START);
  }

  @Test
  void who_joins_while_others_follow_a_clock_that_was_set_has_their_time() {
    for (var jump : List.of(Duration.ofHours(1), Duration.ofHours(-2))) {
      beatFor(ofSeconds(2), true);
      pulse.tellOffset();
      beats.time = beats.time.plus(jump);
      beatFor(ofSeconds(2), true);
      pulse.tellOffset();
      var joined = begun();
      assertThat(Duration.between(pulse.now(), joined.now()).abs()).isLessThan(ofMillis(5));
    }
  }

  @Test
  void what_was_told_long_ago_is_believed_no_more() {
    beatFor(BEAT, true);
    beats.time = beats.time.plus(Duration.ofHours(1));
    beatFor(BEAT, true);
    pulse.tellOffset();
    pass(ofSeconds(4));
    assertThat(begun().now()).isEqualTo(beats.time);
  }

  private Pulse begun() {
    return new Pulse(ScriptedStore.of(beats), OURS, EngineSettings.standard(), () -> nanos, true);
  }

  @Test
  void it_knows_how_long_no_beat_was_good() {
    beatFor(BEAT, true);
    failFor(ofSeconds(7));
    assertThat(pulse.sinceBeat()).isEqualTo(ofSeconds(7));
    pulse.beat();
    assertThat(pulse.sinceBeat()).isZero();
  }
}
