package dev.tuntas.bench.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tuntas.bench.alerts.Evaluator.Element;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EvaluatorTest {

  private static final double SCRAPE = 15;

  private final Samples samples = new Samples();
  private final Evaluator evaluator = new Evaluator(samples);

  /// A counter that grows by so much with every scrape, up to this time.
  private void grows(String name, Map<String, String> labels, double by, double until) {
    for (double at = 0; at <= until; at += SCRAPE) samples.add(name, labels, at, at / SCRAPE * by);
  }

  private List<Element> at(double time, String expression) {
    return evaluator.vector(Expression.parse(expression), time);
  }

  private double only(double time, String expression) {
    assertThat(at(time, expression)).hasSize(1);
    return at(time, expression).getFirst().value();
  }

  @ParameterizedTest
  @CsvSource({
    "1 + 2 * 3, 7",
    "(1 + 2) * 3, 9",
    "7 - 2 - 1, 4",
    "2 * 3 % 4, 2",
    "-2 + 5, 3",
    "8 / 4 / 2, 1",
    "1e3 + .5, 1000.5",
    "2 > 1, 1",
    "2 < 1, 0",
  })
  void operators_bind_as_in_promql(String expression, double value) {
    assertThat(only(0, expression)).isEqualTo(value);
  }

  @Test
  void a_selector_takes_the_last_sample_of_what_matches() {
    samples.add("up", Map.of("area", "a"), 10, 1);
    samples.add("up", Map.of("area", "a"), 20, 2);
    samples.add("up", Map.of("area", "b"), 20, 5);

    assertThat(only(25, "up{area=\"a\"}")).isEqualTo(2);
    assertThat(only(15, "up")).isEqualTo(1);
    assertThat(only(25, "up{area!=\"a\"}")).isEqualTo(5);
    assertThat(only(25, "up{area=~\"b|c\"}")).isEqualTo(5);
    assertThat(at(25, "up{area!~\"a|b\"}")).isEmpty();
  }

  @Test
  void a_sample_is_forgotten_after_five_minutes() {
    samples.add("up", Map.of(), 10, 1);

    assertThat(at(309, "up")).hasSize(1);
    assertThat(at(311, "up")).isEmpty();
  }

  @Test
  void the_rate_of_a_steady_counter_is_its_slope() {
    grows("calls_total", Map.of(), 30, 900);

    assertThat(only(900, "rate(calls_total[5m])")).isCloseTo(2, within(1e-9));
    assertThat(only(900, "increase(calls_total[5m])")).isCloseTo(600, within(1e-9));
  }

  @Test
  void a_restart_of_a_counter_is_no_fall() {
    samples.add("calls_total", Map.of(), 0, 100);
    samples.add("calls_total", Map.of(), 60, 160);
    samples.add("calls_total", Map.of(), 120, 20);
    samples.add("calls_total", Map.of(), 180, 80);

    assertThat(only(180, "increase(calls_total[4m])")).isGreaterThan(140);
    assertThat(only(180, "rate(calls_total[4m])")).isPositive();
  }

  @Test
  void one_sample_has_no_rate() {
    samples.add("calls_total", Map.of(), 0, 100);

    assertThat(at(10, "rate(calls_total[5m])")).isEmpty();
  }

  @Test
  void sums_are_made_of_what_has_the_same_labels() {
    samples.add("waiting", Map.of("area", "a", "service", "ride"), 0, 3);
    samples.add("waiting", Map.of("area", "a", "service", "rent"), 0, 4);
    samples.add("waiting", Map.of("area", "b", "service", "ride"), 0, 5);

    assertThat(only(0, "sum(waiting)")).isEqualTo(12);
    assertThat(at(0, "sum by (area) (waiting)"))
        .containsExactlyInAnyOrder(
            new Element(Map.of("area", "a"), 7), new Element(Map.of("area", "b"), 5));
    assertThat(at(0, "max(waiting) by (service)"))
        .containsExactlyInAnyOrder(
            new Element(Map.of("service", "ride"), 5), new Element(Map.of("service", "rent"), 4));
    assertThat(only(0, "avg without (area, service) (waiting)")).isEqualTo(4);
    assertThat(only(0, "min(waiting)")).isEqualTo(3);
    assertThat(only(0, "count(waiting)")).isEqualTo(3);
  }

  @Test
  void two_vectors_meet_where_their_labels_are_equal() {
    samples.add("bad", Map.of("area", "a"), 0, 1);
    samples.add("bad", Map.of("area", "c"), 0, 1);
    samples.add("all", Map.of("area", "a"), 0, 4);
    samples.add("all", Map.of("area", "b"), 0, 4);

    assertThat(at(0, "bad / all")).containsExactly(new Element(Map.of("area", "a"), 0.25));
    assertThat(at(0, "bad and all")).containsExactly(new Element(Map.of("area", "a"), 1));
    assertThat(at(0, "bad unless all")).containsExactly(new Element(Map.of("area", "c"), 1));
    assertThat(at(0, "bad or all"))
        .extracting(Element::value)
        .containsExactlyInAnyOrder(1.0, 1.0, 4.0);
  }

  @Test
  void labels_can_be_left_out_of_the_comparison() {
    samples.add("failed", Map.of("area", "a", "reason", "x"), 0, 1);
    samples.add("failed", Map.of("area", "a", "reason", "y"), 0, 2);
    samples.add("all", Map.of("area", "a"), 0, 4);

    assertThat(at(0, "failed / all")).isEmpty();
    assertThat(at(0, "failed / ignoring(reason) group_left all"))
        .extracting(Element::value)
        .containsExactlyInAnyOrder(0.25, 0.5);
    assertThatThrownBy(() -> at(0, "failed / on(area) all")).hasMessageContaining("several");
  }

  @Test
  void a_comparison_keeps_what_it_holds_for() {
    samples.add("load", Map.of("area", "a"), 0, 0.5);
    samples.add("load", Map.of("area", "b"), 0, 1);

    assertThat(at(0, "load >= 1")).containsExactly(new Element(Map.of("area", "b"), 1));
    assertThat(at(0, "load == 2")).isEmpty();
  }

  @Test
  void nothing_divided_by_nothing_compares_as_false() {
    samples.add("bad", Map.of(), 0, 0);
    samples.add("all", Map.of(), 0, 0);

    assertThat(only(0, "bad / all")).isNaN();
    assertThat(at(0, "bad / all > 0.1")).isEmpty();
    assertThat(at(0, "bad / all < 0.1")).isEmpty();
  }

  @Test
  void a_quantile_lies_within_its_bucket() {
    samples.add("took_bucket", Map.of("le", "10.0"), 0, 50);
    samples.add("took_bucket", Map.of("le", "20.0"), 0, 90);
    samples.add("took_bucket", Map.of("le", "+Inf"), 0, 100);

    assertThat(only(0, "histogram_quantile(0.5, took_bucket)")).isEqualTo(10);
    assertThat(only(0, "histogram_quantile(0.7, took_bucket)")).isEqualTo(15);
    assertThat(only(0, "histogram_quantile(0.99, took_bucket)")).isEqualTo(20);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "rate(", "a b", "sum by (x", "up{a=b}", "unknown(up)", "up[5]", "1 +"})
  void what_is_not_understood_is_refused(String expression) {
    assertThatThrownBy(() -> Expression.parse(expression))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
