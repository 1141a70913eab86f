package dev.tuntas.adapters.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RestTest {

  private long now = 1_000;
  private final Rest rest = new Rest(3, Duration.ofNanos(100), () -> now);

  @Test
  void it_begins_resting_and_is_looked_after_at_once() {
    assertThat(rest.isResting()).isTrue();
    assertThat(rest.isTimeToLook()).isTrue();
    assertThat(rest.isTimeToLook()).isFalse();
    rest.end();
    assertThat(rest.isResting()).isFalse();
    assertThat(rest.isTimeToLook()).isFalse();
  }

  @Test
  void a_few_failures_in_a_row_begin_a_rest_and_an_answer_between_them_does_not() {
    rest.end();
    rest.failed();
    rest.failed();
    rest.answered();
    assertThat(rest.failed()).isFalse();
    assertThat(rest.failed()).isFalse();
    assertThat(rest.isResting()).isFalse();
    assertThat(rest.failed()).isTrue();
    assertThat(rest.isResting()).isTrue();
  }

  @Test
  void in_a_rest_one_looks_once_in_a_pause_and_late_answers_do_not_end_it() {
    rest.end();
    for (int i = 0; i < 3; i++) rest.failed();
    rest.answered();
    assertThat(rest.isResting()).isTrue();
    assertThat(rest.isTimeToLook()).isFalse();
    now += 100;
    assertThat(rest.isTimeToLook()).isTrue();
    assertThat(rest.isTimeToLook()).isFalse();
    now += 100;
    assertThat(rest.isTimeToLook()).isTrue();
  }
}
