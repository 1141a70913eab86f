package dev.tuntas.server.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PaceTest {

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final Pace pace = new Pace(100, Duration.ofSeconds(1));

  @Test
  void few_do_not_wait() {
    for (long now = 0; now < 10 * SECOND; now += SECOND / 100) {
      assertThat(pace.turn(now)).isZero();
    }
  }

  @Test
  void many_take_turns_and_nobody_waits_too_long() {
    for (int i = 0; i <= 100; i++) {
      assertThat(pace.turn(7)).isEqualTo(Duration.ofMillis(10L * i));
    }
    for (int i = 0; i < 1_000; i++) assertThat(pace.turn(7)).isEqualTo(Duration.ofSeconds(1));
    assertThat(pace.turn(SECOND / 2)).isBetween(Duration.ofMillis(500), Duration.ofMillis(520));
  }

  @Test
  void a_clock_may_begin_anywhere() {
    assertThat(pace.turn(Long.MIN_VALUE / 2)).isZero();
    assertThat(pace.turn(Long.MIN_VALUE / 2)).isEqualTo(Duration.ofMillis(10));
  }
}
