package dev.tuntas.engine;

import static dev.tuntas.engine.Breaker.State.CLOSED;
import static dev.tuntas.engine.Breaker.State.OPEN;
import static dev.tuntas.engine.Breaker.State.TRIAL;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class BreakerTest {

  private static final double LIMIT = 100;

  private final Breaker breaker = new Breaker(Breaker.Settings.standard());
  private Instant now = Story.START;

  private void calls(int times, boolean failed) {
    for (int i = 0; i < times; i++) {
      breaker.ended(breaker.begun(now), failed, now, now, LIMIT);
    }
  }

  private void pass(Duration time) {
    now = now.plus(time);
  }

  private void isOpen() {
    assertThat(breaker.state()).isEqualTo(OPEN);
    assertThat(breaker.allows(now)).isZero();
  }

  private void isClosed() {
    assertThat(breaker.state()).isEqualTo(CLOSED);
    assertThat(breaker.allows(now)).isEqualTo(Integer.MAX_VALUE);
    assertThat(breaker.pace(LIMIT)).isEqualTo(LIMIT);
  }

  private void letsOneThrough() {
    assertThat(breaker.state()).isEqualTo(OPEN);
    assertThat(breaker.allows(now)).isEqualTo(1);
  }

  private void opened() {
    calls(20, true);
    isOpen();
  }

  /// Opened, and its first trial succeeded.
  private void onTrial() {
    opened();
    pass(ofSeconds(1));
    calls(1, false);
    assertThat(breaker.state()).isEqualTo(TRIAL);
  }

  @Nested
  class Opens {

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
  }

  @Nested
  class WhileOpen {

    @Test
    void a_trial_goes_after_one_two_and_then_every_three_seconds() {
      opened();
      var waits = new ArrayList<Duration>();
      var last = now;
      while (waits.size() < 6) {
        pass(ofMillis(1));
        if (breaker.allows(now) == 0) continue;
        waits.add(Duration.between(last, now));
        last = now;
        calls(1, true);
        isOpen();
      }
      assertThat(waits)
          .isEqualTo(
              List.of(1, 2, 3, 3, 3, 3).stream().map(seconds -> ofSeconds(seconds)).toList());
    }

    @Test
    void one_call_at_a_time_is_a_trial() {
      opened();
      pass(ofSeconds(1));
      letsOneThrough();
      breaker.begun(now);
      assertThat(breaker.allows(now)).isZero();
    }

    @Test
    void a_trial_that_was_not_made_is_left_to_another() {
      opened();
      pass(ofSeconds(1));
      breaker.returned(breaker.begun(now));
      letsOneThrough();
    }

    @Test
    void a_call_from_before_that_comes_back_is_no_reason_for_a_trial() {
      long before = breaker.begun(now);
      opened();
      breaker.returned(before);
      isOpen();
    }

    @Test
    void a_call_from_before_that_comes_back_during_a_trial_is_no_reason_for_another() {
      long before = breaker.begun(now);
      opened();
      pass(ofSeconds(1));
      breaker.begun(now);
      breaker.returned(before);
      isOpen();
    }

    @Test
    void a_trial_that_comes_back_leaves_nothing_of_the_next_one_to_another() {
      opened();
      pass(ofSeconds(1));
      long first = breaker.begun(now);
      pass(ofSeconds(1));
      breaker.begun(now);
      breaker.returned(first);
      isOpen();
    }

    @Test
    void a_call_that_was_let_through_before_decides_no_trial_though_it_began_after() {
      long before = breaker.begun(now);
      opened();
      pass(ofSeconds(1));
      breaker.ended(before, false, now, now, LIMIT);
      letsOneThrough();
      breaker.ended(before, true, now, now, LIMIT);
      letsOneThrough();
    }

    @Test
    void nobody_waits_for_a_trial_that_hangs() {
      opened();
      pass(ofSeconds(1));
      breaker.begun(now); // to somebody who will never answer
      pass(ofSeconds(1));
      letsOneThrough();
    }

    @Test
    void however_long_it_was_away_a_partner_that_hung_is_noticed_within_five_seconds() {
      opened();
      record Hanging(long call, Instant begun) {}
      var hanging = new ArrayList<Hanging>();
      var back = now.plus(ofMinutes(35));
      var timeout = ofSeconds(10);
      while (now.isBefore(back)) {
        if (breaker.allows(now) > 0) {
          hanging.add(new Hanging(breaker.begun(now), now));
        }
        while (!hanging.isEmpty() && !now.isBefore(hanging.getFirst().begun.plus(timeout))) {
          var over = hanging.removeFirst();
          breaker.ended(over.call, true, over.begun, now, LIMIT);
        }
        pass(ofMillis(50));
      }
      assertThat(hanging).as("trials that hang").hasSizeLessThanOrEqualTo(4);
      while (breaker.allows(now) == 0) pass(ofMillis(50));
      calls(1, false);
      assertThat(breaker.state()).isEqualTo(TRIAL);
      assertThat(now).isBefore(back.plusSeconds(5));
      for (var call : hanging) breaker.ended(call.call, true, call.begun, now, LIMIT);
      assertThat(breaker.state()).as("they went out before it was back").isEqualTo(TRIAL);
    }

    @Test
    void answers_of_calls_from_before_do_not_matter() {
      var begun = now.minusMillis(1);
      long before = breaker.begun(begun);
      opened();
      breaker.ended(before, false, begun, now, LIMIT);
      breaker.ended(before, true, begun, now, LIMIT);
      isOpen();
      pass(ofSeconds(1));
      letsOneThrough();
    }

    @Test
    void a_partner_that_bars_us_is_left_alone_for_two_minutes() {
      long before = breaker.begun(now);
      breaker.trip(now);
      breaker.returned(before);
      pass(ofMinutes(2).minusMillis(1));
      isOpen();
      pass(ofMillis(1));
      letsOneThrough();
    }

    @Test
    void a_clock_that_goes_back_does_not_keep_it_open() {
      opened();
      pass(ofMinutes(-60));
      letsOneThrough();
      calls(1, false);
      assertThat(breaker.state()).isEqualTo(TRIAL);
    }
  }

  @Nested
  class OnTrial {

    @Test
    void a_few_calls_go_first_and_ten_seconds_later_as_many_as_the_lane_takes() {
      onTrial();
      assertThat(breaker.pace(LIMIT)).isEqualTo(10);
      var begin = now;
      while (breaker.state() == TRIAL) {
        double before = breaker.pace(LIMIT);
        pass(Duration.ofNanos((long) (1e9 / before)));
        calls(1, false);
        assertThat(breaker.pace(LIMIT) - before).as("a step").isBetween(0.0, 2.1);
      }
      assertThat(Duration.between(begin, now)).isBetween(ofSeconds(8), ofSeconds(10));
      isClosed();
    }

    @Test
    void a_lane_without_a_limit_gets_a_thousand_in_ten_seconds() {
      opened();
      pass(ofSeconds(1));
      breaker.ended(breaker.begun(now), false, now, now, Double.POSITIVE_INFINITY);
      var begin = now;
      while (breaker.pace(Double.POSITIVE_INFINITY) < 1_000) {
        pass(Duration.ofNanos((long) (1e9 / breaker.pace(Double.POSITIVE_INFINITY))));
        breaker.ended(breaker.begun(now), false, now, now, Double.POSITIVE_INFINITY);
      }
      assertThat(Duration.between(begin, now)).isBetween(ofSeconds(9), ofSeconds(11));
      assertThat(breaker.state()).isEqualTo(TRIAL);
    }

    @Test
    void a_slow_lane_needs_no_steps() {
      opened();
      pass(ofSeconds(1));
      breaker.ended(breaker.begun(now), false, now, now, 10);
      assertThat(breaker.state()).isEqualTo(CLOSED);
    }

    @Test
    void it_closes_when_nobody_waits_though_not_at_once() {
      onTrial();
      breaker.nobodyWaits(now);
      assertThat(breaker.state()).isEqualTo(TRIAL);
      pass(ofSeconds(3));
      breaker.nobodyWaits(now);
      isClosed();
      calls(19, true);
      isClosed(); // what was before is forgotten
    }

    @Test
    void one_failure_halves_the_pace() {
      onTrial();
      calls(100, false);
      double before = breaker.pace(LIMIT);
      calls(1, true);
      assertThat(breaker.state()).isEqualTo(TRIAL);
      assertThat(breaker.pace(LIMIT)).isEqualTo(before / 2);
    }

    @Test
    void a_partner_that_fails_again_is_left_alone_after_a_handful_of_calls() {
      onTrial();
      calls(300, false);
      calls(3, true);
      assertThat(breaker.state()).isEqualTo(TRIAL);
      calls(1, true); // half of the last eight
      isOpen();
    }

    @Test
    void a_partner_that_fails_at_once_gets_no_more_than_four() {
      onTrial();
      calls(4, true);
      isOpen();
    }

    @Test
    void the_time_between_trials_shrinks_with_what_succeeds() {
      opened();
      for (int i = 0; i < 4; i++) {
        while (breaker.allows(now) == 0) pass(ofMillis(1));
        calls(1, true);
      }
      while (breaker.allows(now) == 0) pass(ofMillis(1));
      calls(1, false);
      calls(4, true);
      isOpen();
      pass(ofMillis(1_500)); // it was three seconds
      letsOneThrough();
    }
  }

  @Test
  void settings_that_make_no_sense_are_refused() {
    for (double share : new double[] {0, -1, 1.1, Double.NaN}) refused(share, 1, 1, 1, 1);
    refused(0.5, 0, 1, 1, 1);
    refused(0.5, 20, 19, 1, 1);
    refused(0.5, 1, 1, 0, 1);
    refused(0.5, 1, 1, 2, 1);
  }

  private static void refused(double share, int callsMin, int window, int openMin, int openMax) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Breaker.Settings(
                    share, callsMin, window, ofSeconds(openMin), ofSeconds(openMax), ofMinutes(2)));
  }
}
