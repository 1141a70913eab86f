package dev.tuntas.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DispatchMannersTest {

  private static DispatchManners changed(DispatchManners from, Map<String, ?> changes) {
    return switch (from.with(changes)) {
      case Change.Changed<DispatchManners>(var manners) -> manners;
      case Change.Refused<DispatchManners> refused -> throw new AssertionError(refused);
    };
  }

  @Test
  void the_standard_is_that_of_the_contract() {
    assertThat(DispatchManners.STANDARD.told())
        .containsEntry("callback_rate", 0.95)
        .containsEntry("callback_delay_ms", List.of(1_000L, 3_000L))
        .containsEntry("assign_delay_ms", List.of(500L, 1_500L))
        .containsEntry("driver_rate", 1.0)
        .containsEntry("rate_limit_per_s", 200L);
  }

  @Test
  void what_is_told_can_be_said_again_and_changes_nothing() {
    var odd =
        changed(
            DispatchManners.STANDARD,
            Map.of("down", true, "reorder_rate", 0.25, "trip_ms", List.of(1, 2), "late_rate", 1));
    assertThat(changed(DispatchManners.STANDARD, odd.told())).isEqualTo(odd);
    assertThat(changed(odd, Map.of())).isEqualTo(odd);
  }

  @Test
  void a_reset_restores_all_but_what_is_named_with_it() {
    var odd = changed(DispatchManners.STANDARD, Map.of("down", true, "duplicate_rate", 1));
    assertThat(changed(odd, Map.of("reset", true))).isEqualTo(DispatchManners.STANDARD);
    assertThat(changed(odd, Map.of("reset", true, "duplicate_rate", 1)).told())
        .containsEntry("down", false)
        .containsEntry("duplicate_rate", 1.0);
  }

  @Test
  void one_number_is_a_time_without_variation() {
    assertThat(changed(DispatchManners.STANDARD, Map.of("assign_delay_ms", 7)).told())
        .containsEntry("assign_delay_ms", List.of(7L, 7L));
  }

  static Stream<Arguments> nonsense() {
    return Stream.of(
        Arguments.of("callback_rate", 1.1, "out_of_range"),
        Arguments.of("callback_rate", "all", "field_type"),
        Arguments.of("callback_delay_ms", List.of(2, 1), "out_of_range"),
        Arguments.of("callback_delay_ms", List.of(1), "field_type"),
        Arguments.of("callback_delay_ms", List.of("1", "2"), "field_type"),
        Arguments.of("callback_delay_ms", List.of(-1, 2), "out_of_range"),
        Arguments.of("callback_delay_ms", List.of(0.5, 2), "out_of_range"),
        Arguments.of("assign_delay_ms", 3_600_001, "out_of_range"),
        Arguments.of("rate_limit_per_s", 0, "out_of_range"),
        Arguments.of("mood", 1, "unknown_field"));
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void nonsense_is_refused_with_a_sentence(String field, Object value, String code) {
    assertThat(DispatchManners.STANDARD.with(Map.of(field, value)))
        .isInstanceOfSatisfying(
            Change.Refused.class,
            refused -> {
              assertThat(refused.field()).isEqualTo(field);
              assertThat(refused.code()).isEqualTo(code);
              assertThat(refused.sentence()).endsWith(".");
            });
  }
}
