package dev.tuntas.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class BacklogTest {

  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  private final Backlog backlog = new Backlog();

  private void left(int count, long atMillis) {
    for (int i = 0; i < count; i++) backlog.left(NOON.plusMillis(atMillis));
  }

  private void begun(long startedAtMillis) {
    backlog.begun(NOON.plusMillis(startedAtMillis));
  }

  @Test
  void those_that_were_left_wait_until_a_later_one_begins() {
    left(3, 0);
    left(2, 100);
    left(4, 200);
    assertThat(backlog.waiting()).isEqualTo(9);
    begun(0);
    assertThat(backlog.waiting()).isEqualTo(9); // others of that time may still wait
    begun(100);
    assertThat(backlog.waiting()).isEqualTo(6);
    begun(350);
    assertThat(backlog.waiting()).isZero();
  }

  @Test
  void when_nobody_wants_the_room_nobody_waits() {
    left(5, 0);
    backlog.caughtUp();
    assertThat(backlog.waiting()).isZero();
    left(1, 10);
    assertThat(backlog.waiting()).isEqualTo(1);
  }

  @Test
  void a_clock_that_goes_back_loses_nobody() {
    left(2, 500);
    left(2, 100);
    assertThat(backlog.waiting()).isEqualTo(4);
    begun(400);
    assertThat(backlog.waiting()).isEqualTo(4);
    begun(600);
    assertThat(backlog.waiting()).isZero();
  }
}
