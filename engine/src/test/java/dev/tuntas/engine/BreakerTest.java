package dev.tuntas.engine;

import static dev.tuntas.engine.Breaker.State.CLOSED;
import static dev.tuntas.engine.Breaker.State.OPEN;
import static dev.tuntas.engine.Breaker.State.TRIAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class BreakerTest {

  private static final Duration TWO_MINUTES = Duration.ofMinutes(2);

  private final Breaker breaker = new Breaker(Breaker.Settings.standard());
  private Instant now = Story.START;

  private void calls(int times, boolean failed) {
    for (int i = 0; i < times; i++) {
      breaker.begun(now);
      breaker.ended(failed, now);
    }
  }

  private void isOpen() {
    assertThat(breaker.stateAt(now)).isEqualTo(OPEN);
    assertThat(breaker.allows(now)).isZero();
  }

  private void isClosed() {
    assertThat(breaker.stateAt(now)).isEqualTo(CLOSED);
    assertThat(breaker.allows(now)).isEqualTo(Integer.MAX_VALUE);
  }

  /// Opened at the start; now two minutes later.
  private void onTrial() {
    calls(20, true);
    now = now.plus(TWO_MINUTES);
    assertThat(breaker.stateAt(now)).isEqualTo(TRIAL);
  }

  @Test
  void fewer_than_twenty_calls_prove_nothing() {
    calls(19, true);
    isClosed();
    calls(1, true);
    isOpen();
  }

  @Test
  void half_of_the_calls_must_fail() {
    calls(11, false);
    calls(10, true); // 10 of 21
    isClosed();
    calls(1, true); // 11 of 22
    isOpen();
  }

  @Test
  void only_the_last_hundred_calls_count() {
    calls(1_000, false);
    calls(49, true);
    isClosed();
    calls(1, true);
    isOpen();
  }

  @Test
  void it_is_open_for_two_minutes() {
    calls(20, true);
    now = now.plus(TWO_MINUTES).minusMillis(1);
    isOpen();
    now = now.plusMillis(1);
    assertThat(breaker.stateAt(now)).isEqualTo(TRIAL);
  }

  @Test
  void then_one_trial_at_a_time() {
    onTrial();
    assertThat(breaker.allows(now)).isEqualTo(1);
    breaker.begun(now);
    assertThat(breaker.allows(now)).isZero();
    breaker.returned(); // it was not made
    assertThat(breaker.allows(now)).isEqualTo(1);
  }

  @Test
  void a_good_trial_closes_it_and_the_past_is_forgotten() {
    onTrial();
    calls(1, false);
    isClosed();
    calls(19, true);
    isClosed();
  }

  @Test
  void a_bad_trial_opens_it_for_two_more_minutes() {
    onTrial();
    calls(1, true);
    isOpen();
    now = now.plus(TWO_MINUTES).minusMillis(1);
    isOpen();
  }

  @Test
  void answers_of_calls_from_before_do_not_matter_while_it_is_open() {
    calls(20, true);
    breaker.ended(false, now);
    breaker.ended(true, now.plusSeconds(60));
    isOpen();
    assertThat(breaker.stateAt(now.plus(TWO_MINUTES))).isEqualTo(TRIAL);
  }

  @Test
  void settings_that_make_no_sense_are_refused() {
    for (double share : new double[] {0, -1, 1.1, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Breaker.Settings(share, 1, 1, TWO_MINUTES));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Breaker.Settings(0.5, 0, 1, TWO_MINUTES));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Breaker.Settings(0.5, 20, 19, TWO_MINUTES));
  }
}
