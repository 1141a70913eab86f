package dev.tuntas.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.bench.Progress;
import dev.tuntas.bench.alerts.RuleFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.json.JsonMapper;

/// Small scenarios, each of its kind; `./tuntas scenario` runs the large ones.
@Execution(ExecutionMode.CONCURRENT)
class VirtualScenarioTest {

  private static final Path RULES = Path.of("..", "deploy", "prometheus", "tuntas-rules.yml");
  private static final int LIMIT = 40;

  private static ScenarioResult run(Scenario scenario, double rate, int minutes)
      throws IOException {
    var settings = new ScenarioSettings(scenario, rate, Duration.ofMinutes(minutes), 7, LIMIT);
    try (var progress = Progress.onTerminal();
        var run = new VirtualScenario(settings, RuleFile.read(RULES), progress)) {
      return run.run();
    }
  }

  private static void isFine(ScenarioResult result) {
    assertThat(result.sentences()).isEmpty();
    assertThat(result.violations()).isZero();
    var orders = result.orders();
    assertThat(orders.accepted()).isPositive();
    assertThat(orders.within30Min()).isEqualTo(orders.accepted());
    assertThat(orders.ends()).containsOnlyKeys("COMPLETED");
    assertThat(result.calls().highestPerSecond()).isBetween(1, LIMIT);
    assertThat(result.calls().refused()).isZero();
  }

  @Test
  void on_a_good_day_callbacks_bring_most_job_ids() throws IOException {
    var result = run(Scenario.NORMAL, 2, 3);

    isFine(result);
    assertThat(result.orders().toJobId().seconds(0.95)).isLessThan(10);
    assertThat(result.orders().callbackShare()).isBetween(0.9, 0.995);
    assertThat(result.calls().reduction()).isGreaterThan(0.9);
    assertThat(result.alerts()).isEmpty();
  }

  @Test
  void without_callbacks_every_job_id_is_asked_for() throws IOException {
    var result = run(Scenario.NO_CALLBACKS, 0.4, 21);

    isFine(result);
    assertThat(result.orders().callbackShare()).isZero();
    assertThat(result.calls().forJobIds()).isGreaterThanOrEqualTo(result.orders().accepted());
    assertThat(result.calls().reduction()).isGreaterThan(0.3);
    assertThat(result.alerts()).containsOnlyKeys("CallbackRateLow");
  }

  @Test
  void a_slow_partner_is_waited_for() throws IOException {
    var result = run(Scenario.SLOW_PARTNER, 1, 5);

    isFine(result);
    assertThat(result.orders().toJobId().seconds(0.4)).isLessThan(10);
    assertThat(result.orders().toJobId().seconds(0.6)).isGreaterThan(600);
  }

  @Test
  void after_an_outage_what_waited_is_released_at_the_pace_of_the_partner() throws IOException {
    var result = run(Scenario.OUTAGE, 3, 6);

    isFine(result);
    assertThat(result.calls().highestPerSecond()).isGreaterThan(LIMIT / 2);
    assertThat(result.orders().toJobId().seconds(1)).isBetween(60.0, 600.0);
    assertThat(result.alerts()).containsKey("CircuitBreakerOpen");
  }

  @Test
  void a_flooded_area_takes_no_more_than_its_limit_and_recovers() throws IOException {
    var result = run(Scenario.FLOOD, 3, 15);

    isFine(result);
    assertThat(result.flood().refusals()).isPositive();
    assertThat(result.flood().highest().values())
        .allSatisfy(most -> assertThat(most).isLessThanOrEqualTo(result.flood().most()));
    assertThat(result.orders().accepted()).isEqualTo(result.customers());
    assertThat(result.alerts()).containsKey("ThresholdReached");
  }

  @Test
  void the_same_seed_gives_the_same_figures() throws IOException {
    var first = run(Scenario.NORMAL, 2, 1);
    var second = run(Scenario.NORMAL, 2, 1);

    assertThat(second.orders().toJobId().all()).isEqualTo(first.orders().toJobId().all());
    assertThat(second.calls()).isEqualTo(first.calls());
    assertThat(second.orders().ends()).isEqualTo(first.orders().ends());
  }

  @Test
  void the_last_line_and_the_picture_tell_what_came_of_it() throws IOException {
    var result = run(Scenario.NORMAL, 2, 1);

    var json = JsonMapper.shared().readTree(new ScenarioReport(result).json());
    assertThat(json.propertyNames())
        .contains(
            "orders",
            "with_job_id",
            "within_30_min",
            "p95_seconds_to_job_id",
            "callback_rate",
            "call_reduction",
            "manual",
            "status_updates_ok",
            "partner_calls_per_second_max",
            "rate_limit",
            "alerts",
            "violations");
    assertThat(json.get("orders").asInt()).isEqualTo(result.orders().accepted());
    assertThat(json.get("status_updates_ok").asInt()).isEqualTo(1);
    assertThat(Picture.of(result))
        .startsWith("<svg")
        .contains("Time to job id", "Waiting in each area", "Calls to the partner", "minutes");
  }
}
