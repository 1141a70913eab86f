package dev.tuntas.engine;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VitalsTest {

  private long nanos;
  private final Turns turns = new Turns(() -> nanos);

  @Test
  void who_beats_and_writes_can_go_on() {
    var slow = new Vitals(ofSeconds(4), ofSeconds(4), ofSeconds(400), Map.of());
    assertThat(slow.trouble()).isEmpty();
  }

  @Test
  void who_does_not_beat_cannot() {
    assertThat(new Vitals(ofMillis(4_001), ZERO, ZERO, Map.of()).trouble())
        .contains("The database took no sign of life for 4 s");
  }

  @Test
  void who_does_not_write_what_waits_cannot() {
    assertThat(new Vitals(ofSeconds(9), ofSeconds(7), ofSeconds(9), Map.of()).trouble())
        .contains("Nothing could be written for 7 s");
  }

  @Test
  void a_thread_that_comes_around_stands_not() {
    for (int second = 0; second < 600; second++) {
      turns.took("claims");
      nanos += Duration.ofSeconds(1).toNanos();
    }
    assertThat(turns.standing()).isEmpty();
  }

  @Test
  void a_thread_that_does_not_come_around_is_named() {
    turns.took("claims");
    turns.took("timer");
    nanos += ofSeconds(179).toNanos();
    turns.took("timer");
    nanos += ofSeconds(3).toNanos();
    assertThat(turns.standing()).isEqualTo(Map.of("claims", ofSeconds(182)));
    assertThat(new Vitals(ZERO, ZERO, ZERO, turns.standing()).trouble())
        .contains("The thread claims has stood still for 182 s");
  }
}
