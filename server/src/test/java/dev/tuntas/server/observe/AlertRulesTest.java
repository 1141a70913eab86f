package dev.tuntas.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/// The alert rules ask for what a server tells, and fire when they should.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AlertRulesTest {

  private static final Path FOLDER = Path.of("..", "deploy", "prometheus");

  /// What it tells of every process that it scrapes.
  private static final String BY_PROMETHEUS = "# TYPE up gauge\nup{job=\"tuntas\"} 1\n";

  /// What only a server with a broker tells.
  private static final String WITH_A_BROKER =
      "# TYPE bus_topics_missing gauge\nbus_topics_missing 0\n";

  /// @param holds how long it must be true before it fires, as it is written
  record Rule(
      String alert,
      String expr,
      String holds,
      Map<String, String> labels,
      Map<String, String> annotations) {

    @Override
    public String toString() {
      return alert;
    }
  }

  private List<Rule> rules = List.of();
  private Exposition scrape = Exposition.read("");

  @BeforeAll
  void read() throws Exception {
    scrape =
        Exposition.read(
            Client.admin().get("/actuator/prometheus").body() + BY_PROMETHEUS + WITH_A_BROKER);
    Map<String, List<Map<String, Object>>> file =
        new Yaml().load(Files.readString(FOLDER.resolve("tuntas-rules.yml")));
    rules = file.get("groups").stream().flatMap(it -> rules(it).stream()).toList();
  }

  @SuppressWarnings("unchecked") // YAML has no types
  private static List<Rule> rules(Map<String, Object> group) {
    return ((List<Map<String, Object>>) group.get("rules"))
        .stream()
            .map(
                it ->
                    new Rule(
                        it.get("alert").toString(),
                        it.get("expr").toString(),
                        it.getOrDefault("for", "").toString(),
                        (Map<String, String>) it.get("labels"),
                        (Map<String, String>) it.get("annotations")))
            .toList();
  }

  List<Rule> rules() {
    return rules;
  }

  @ParameterizedTest
  @MethodSource("rules")
  void every_alert_asks_for_metrics_that_a_server_has(Rule rule) {
    assertThat(PromQuery.read(rule.expr).flaws(scrape)).isEmpty();
    assertThat(rule.annotations).containsKeys("summary", "description");
    assertThat(rule.labels).containsKey("team");
  }

  @ParameterizedTest
  @MethodSource("rules")
  void every_alert_has_a_test_and_a_procedure(Rule rule) throws Exception {
    assertThat(Files.readString(FOLDER.resolve("tuntas-rules-test.yml")))
        .contains("alertname: " + rule.alert);
    assertThat(rule.annotations)
        .containsEntry(
            "runbook_url", "docs/alerts.md#" + rule.alert.toLowerCase(java.util.Locale.ROOT));
    assertThat(Files.readString(Path.of("..", "docs", "alerts.md")))
        .contains("| `" + rule.alert + "` ", "\n### " + rule.alert + "\n1. ");
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          JobIDRetrievalHighFailureRate, P1,       5m
          JobIDRetrievalSlowResponse,    P2,       10m
          CallbackRateLow,               P2,       15m
          ManualRefundRequired,          P2,       1m
          HighCancellationRate,          P1,       5m
          ThresholdApproaching,          warning,  5m
          ThresholdReached,              critical, ''
          HighRetryRate,                 warning,  10m
          HighLifetimeCancel,            critical, 15m
          LowAssignmentRate,             critical, 15m
          DispatchLatencyHigh,           warning,  ''
          CompensationFailed,            P0,       ''
          CircuitBreakerOpen,            critical, ''
          DeadLettersPresent,            P2,       ''
          ProcessDown,                   critical, 1m
          NothingAnswers,                P0,       1m
          NobodyRunsOrders,              P0,       1m
          SagaQueueLong,                 warning,  5m
          NewsDelayed,                   critical, 1m
          TopicsMissing,                 critical, 1m
          TicketsOverdue,                P2,       5m
          DatabaseTrouble,               critical, 5m
          DatabaseDamaged,               P0,       ''
          SagasLost,                     warning,  ''
          LogLinesDropped,               warning,  ''
          """)
  void every_alert_is_there(String alert, String severity, String holds) {
    var rule = rules.stream().filter(it -> it.alert.equals(alert)).findFirst().orElseThrow();
    assertThat(rule.labels).containsEntry("severity", severity);
    assertThat(rule.holds).isEqualTo(holds);
  }

  @Test
  void every_alert_fires_when_it_should_and_only_then(@TempDir Path folder) throws Exception {
    Promtool.run(
        folder.resolve("output"),
        "test",
        "rules",
        FOLDER.resolve("tuntas-rules-test.yml").toString());
  }
}
