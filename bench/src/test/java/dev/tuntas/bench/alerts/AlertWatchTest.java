package dev.tuntas.bench.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AlertWatchTest {

  private static final String RULES =
      """
      groups:
        - name: areas
          rules:
            # A comment with expr: inside.
            - alert: Full
              expr: |
                max by (area) (load)
                  >= 1
              labels:
                severity: critical
            - alert: Filling
              expr: load > 0.8
              for: 1m30s
              annotations:
                summary: "for: everybody"
            - alert: Quoted
              expr: "sum(load{area=\\"a\\"}) > 9"
      """;

  private final Samples samples = new Samples();
  private final AlertWatch watch = new AlertWatch(RuleFile.parse(RULES), samples);

  private void load(double at, String area, double value) {
    samples.add("load", Map.of("area", area), at, value);
  }

  @Test
  void a_rule_file_is_read() {
    assertThat(RuleFile.parse(RULES))
        .extracting(AlertRule::name)
        .containsExactly("Full", "Filling", "Quoted");
    assertThat(RuleFile.parse(RULES))
        .extracting(AlertRule::pending)
        .containsExactly(Duration.ZERO, Duration.ofSeconds(90), Duration.ZERO);
  }

  @Test
  void a_rule_that_is_not_understood_is_named() {
    assertThatThrownBy(() -> RuleFile.parse("- alert: Odd\n  expr: what(is) this\n"))
        .hasMessageContaining("Odd");
  }

  @Test
  void an_alert_without_a_pause_fires_at_once() {
    load(0, "a", 1);

    assertThat(watch.look(0)).containsExactly("Full");
  }

  @Test
  void an_alert_with_a_pause_fires_when_it_has_held_for_so_long() {
    for (double at = 0; at <= 90; at += 15) {
      load(at, "a", 0.9);
      assertThat(watch.look(at).contains("Filling")).isEqualTo(at >= 90);
    }
    assertThat(watch.fired()).containsExactly(Map.entry("Filling", 90.0));
  }

  @Test
  void what_did_not_hold_in_between_begins_again() {
    for (double at = 0; at <= 150; at += 15) {
      load(at, "a", at == 75 ? 0.1 : 0.9);
      assertThat(watch.look(at)).isEmpty();
    }
  }

  @Test
  void every_area_waits_by_itself() {
    for (double at = 0; at <= 150; at += 15) {
      load(at, "a", at < 75 ? 0.9 : 0.1);
      load(at, "b", at < 75 ? 0.1 : 0.9);
      assertThat(watch.look(at)).isEmpty();
    }
  }
}
