package dev.tuntas.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WeatherTest {

  private static final int CALLS = 4_000;

  private final List<Duration> pauses = new ArrayList<>();
  private final Weather weather = new Weather(new Random(7), pauses::add);

  private record Tally(int effects, int answers, int doubts, int unavailable) {}

  private Tally tally() {
    int[] effects = {0};
    int answers = 0;
    int doubts = 0;
    int unavailable = 0;
    for (int i = 0; i < CALLS; i++) {
      switch (weather.call(() -> Outcome.done(effects[0]++))) {
        case Outcome.Succeeded<Integer> _ -> answers++;
        case Outcome.Unclear<Integer> _ -> doubts++;
        case Outcome.Failed<Integer>(var failure) -> {
          assertThat(failure).isInstanceOf(Failure.Unavailable.class);
          unavailable++;
        }
      }
    }
    return new Tally(effects[0], answers, doubts, unavailable);
  }

  @Test
  void calm_weather_changes_nothing() {
    assertThat(tally()).isEqualTo(new Tally(CALLS, CALLS, 0, 0));
    assertThat(pauses).isEmpty();
  }

  @Test
  void what_is_down_does_nothing_and_says_so() {
    weather.change(Map.of("down", true));
    assertThat(tally()).isEqualTo(new Tally(0, 0, 0, CALLS));
  }

  @Test
  void errors_are_doubt_and_half_of_them_come_after_the_effect() {
    weather.change(Map.of("error_rate", 0.5));
    var tally = tally();
    assertThat(tally.doubts()).isBetween(1_800, 2_200);
    assertThat(tally.effects() - tally.answers()).isBetween(800, 1_200);
  }

  @Test
  void a_lost_reply_comes_after_the_effect() {
    weather.change(Map.of("lost_reply_rate", 0.25));
    var tally = tally();
    assertThat(tally.effects()).isEqualTo(CALLS);
    assertThat(tally.doubts()).isBetween(800, 1_200);
  }

  @Test
  void latency_is_waited_for() {
    weather.change(Map.of("latency_ms", 200));
    weather.call(() -> Outcome.done("done"));
    assertThat(pauses).containsExactly(Duration.ofMillis(200));
  }

  @Test
  void changes_are_merged_and_reset_restores() {
    weather.change(Map.of("error_rate", 0.1));
    weather.change(Map.of("latency_ms", 5, "down", true));
    assertThat(weather.behaviour()).isEqualTo(new Behaviour(true, 0.1, 5, 0));

    weather.change(Map.of("reset", false));
    assertThat(weather.behaviour()).isEqualTo(new Behaviour(true, 0.1, 5, 0));

    weather.change(Map.of("reset", true, "latency_ms", 7));
    assertThat(weather.behaviour()).isEqualTo(new Behaviour(false, 0, 7, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "error_rate, 1.01, out_of_range, error_rate is between 0 and 1.",
    "error_rate, -0.1, out_of_range, error_rate is between 0 and 1.",
    "lost_reply_rate, 2, out_of_range, lost_reply_rate is between 0 and 1.",
    "latency_ms, 60001, out_of_range, latency_ms is a whole number between 0 and 60000.",
    "latency_ms, -1, out_of_range, latency_ms is a whole number between 0 and 60000.",
    "latency_ms, 1.5, out_of_range, latency_ms is a whole number between 0 and 60000.",
    "down, 1, field_type, down is true or false.",
    "reset, 1, field_type, reset is true or false.",
  })
  void what_makes_no_sense_is_refused(String field, double value, String code, String sentence) {
    weather.change(Map.of("error_rate", 0.5));

    assertThat(weather.change(Map.of(field, value)))
        .isEqualTo(new Change.Refused<>(field, code, sentence));
    assertThat(weather.behaviour()).isEqualTo(new Behaviour(false, 0.5, 0, 0));
  }

  @Test
  void unknown_fields_and_other_types_are_refused() {
    assertThat(weather.change(Map.of("mood", 1)))
        .isEqualTo(
            new Change.Refused<>(
                "mood",
                "unknown_field",
                "A behaviour has the fields down, error_rate, latency_ms, lost_reply_rate, reset"
                    + " and no other."));
    var nothing = new HashMap<String, Object>();
    nothing.put("error_rate", null);
    assertThat(weather.change(nothing))
        .isEqualTo(new Change.Refused<>("error_rate", "field_type", "error_rate is a number."));
  }
}
