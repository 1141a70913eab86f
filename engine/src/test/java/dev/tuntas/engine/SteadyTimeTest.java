package dev.tuntas.engine;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SteadyTimeTest {

  private long nanos = 77_000_000_777L;
  private Instant wall = Story.START;
  private final InstantSource time =
      SteadyTime.following("the clock of this machine", () -> wall, () -> nanos);

  private Instant last = Instant.MIN;

  private void pass(Duration span) {
    for (long millis = 0; millis < span.toMillis(); millis += 500) {
      nanos += ofMillis(500).toNanos();
      wall = wall.plusMillis(500);
      assertThat(time.instant()).as("it never goes back").isAfter(last);
      last = time.instant();
    }
  }

  private Duration sinceStart() {
    return Duration.between(Story.START, time.instant());
  }

  @Test
  void it_passes_with_the_clock_that_it_follows() {
    pass(ofHours(1));
    assertThat(time.instant()).isEqualTo(wall);
  }

  @Test
  void a_clock_that_runs_a_little_fast_is_followed_at_once() {
    for (int i = 0; i < 3_600; i++) {
      pass(ofSeconds(1));
      wall = wall.plusMillis(3);
    }
    pass(ofSeconds(1));
    assertThat(time.instant()).isEqualTo(wall);
  }

  @Test
  void between_two_readings_it_passes_by_itself() {
    nanos += ofMillis(150).toNanos();
    assertThat(sinceStart()).isEqualTo(ofMillis(150));
  }

  @ParameterizedTest
  @ValueSource(longs = {-60, 60, 24 * 60, -24 * 60})
  void a_clock_that_is_set_moves_nothing_at_once(long minutes) {
    pass(ofMinutes(1));
    wall = wall.plus(ofMinutes(minutes));
    assertThat(sinceStart()).isEqualTo(ofMinutes(1));
    pass(ofMinutes(10));
    var slower = ofMinutes(11).minus(ofSeconds(31));
    var faster = ofMinutes(11).plus(ofSeconds(31));
    assertThat(sinceStart()).isBetween(slower, faster);
  }

  @ParameterizedTest
  @ValueSource(longs = {-5, 5})
  void in_the_end_it_has_caught_up(long minutes) {
    wall = wall.plus(ofMinutes(minutes));
    pass(ofMinutes(90));
    assertThat(Duration.between(wall, time.instant()).abs()).isGreaterThan(ofSeconds(10));
    pass(ofMinutes(11));
    assertThat(time.instant()).isEqualTo(wall);
  }

  @Test
  void a_clock_that_is_set_back_a_little_is_waited_for() {
    pass(ofSeconds(10));
    wall = wall.minusMillis(800);
    pass(ofSeconds(10));
    assertThat(time.instant()).isAfter(wall);
    pass(ofSeconds(10));
    assertThat(time.instant()).isEqualTo(wall);
  }

  @Test
  void what_was_set_back_again_is_followed_at_once() {
    pass(ofMinutes(1));
    wall = wall.plus(ofHours(1));
    pass(ofSeconds(10));
    wall = wall.minus(ofHours(1));
    pass(ofSeconds(20));
    assertThat(time.instant()).isEqualTo(wall);
  }

  // A clock that is far away

  private final SteadyTime far = new SteadyTime("the clock of the database", Story.START, 0);

  @Test
  void a_reading_that_took_long_is_no_clock_that_was_set() {
    far.follow(Story.START.plusSeconds(8), 0, ofSeconds(8).toNanos());
    assertThat(far.at(ofSeconds(8).toNanos())).isEqualTo(Story.START.plusSeconds(8));
    far.follow(Story.START.plusSeconds(8), ofSeconds(8).toNanos(), ofSeconds(16).toNanos());
    assertThat(far.at(ofSeconds(16).toNanos())).isEqualTo(Story.START.plusSeconds(16));
  }

  @Test
  void a_clock_that_was_set_is_seen_also_by_a_reading_that_took_long() {
    far.follow(Story.START.plusSeconds(3_600), 0, ofSeconds(8).toNanos());
    assertThat(far.at(ofSeconds(8).toNanos())).isEqualTo(Story.START.plusSeconds(8));
    assertThat(far.at(ofSeconds(28).toNanos())).isEqualTo(Story.START.plusSeconds(29));
  }
}
