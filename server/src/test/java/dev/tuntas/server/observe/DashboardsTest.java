package dev.tuntas.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/// The dashboards ask for what a server tells, and have the panels that the documents list.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardsTest {

  private static final Path FOLDER = Path.of("..", "deploy", "grafana");

  record Query(String panel, String expr) {}

  private final List<Query> queries = new ArrayList<>();
  private Exposition scrape = Exposition.read("");

  @BeforeAll
  void read() throws Exception {
    scrape = Exposition.read(Client.admin().get("/actuator/prometheus").body());
    for (var name : List.of("job-ids", "dispatcher", "sagas")) {
      var board = new JsonMapper().readTree(Files.readString(FOLDER.resolve(name + ".json")));
      for (var panel : board.path("panels")) {
        var title = panel.path("title").asString();
        for (var target : panel.path("targets")) {
          queries.add(new Query(title, target.path("expr").asString()));
        }
      }
    }
  }

  List<Query> queries() {
    return queries;
  }

  @ParameterizedTest
  @MethodSource("queries")
  void every_panel_asks_for_metrics_that_a_server_has(Query query) {
    assertThat(PromQuery.read(query.expr).flaws(scrape)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Job ID Retrieval Method Distribution (Callback vs Proactive)",
        "Proactive Retrieval Success Rate over Time",
        "Average Attempts Before Success",
        "P50/P95/P99 Retrieval Duration",
        "Failure Reasons Breakdown",
        "Active Retry Operations (Current)",
        "Orders Cancelled After Payment",
        "Manual Refund Queue",
        "Current Waiting Orders per Area",
        "Threshold Utilization % per Area",
        "Orders in Retry Loop",
        "Dispatch Attempts per Minute",
        "Assignment Rate %",
        "Average Dispatch Duration",
        "Retry Distribution (Attempts per Order)",
        "Cancels by Reason",
        "Lifetime Timeout Trend",
        "User Cancel Rate by Area",
        "Top 5 Busiest Areas",
        "Areas Currently at Threshold",
        "Average Order Lifetime per Area"
      })
  void every_panel_of_the_documents_is_there(String panel) {
    assertThat(queries).extracting(Query::panel).contains(panel);
  }

  @Test
  void every_query_is_understood_by_prometheus(@TempDir Path folder) throws Exception {
    var file = new StringBuilder("groups:\n  - name: panels\n    rules:\n");
    int number = 0;
    for (var query : queries) {
      var expr = query.expr.replaceAll("\\$__(rate_interval|range)", "5m").replace("'", "''");
      file.append("      - record: panel_").append(++number).append('\n');
      file.append("        expr: '").append(expr).append("'\n");
    }
    var rules = folder.resolve("panels.yml");
    Files.writeString(rules, file);
    Promtool.run(folder.resolve("output"), "check", "rules", rules.toString());
  }
}
