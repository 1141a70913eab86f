package dev.tuntas.bench.alerts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Our evaluator and Prometheus say the same about the same series. No range begins at a sample:
/// whether that belongs to it differs between Prometheus 2 and 3.
class PromtoolTest {

  private static final String[] EXPRESSIONS = {
    "rate(calls_total[290s])",
    "increase(calls_total[80s])",
    "sum by (area) (rate(calls_total[9m50s]))",
    "sum(rate(calls_total{area=\"a\"}[4m5s])) / sum(rate(calls_total[4m5s]))",
    "histogram_quantile(0.95, sum by (le) (rate(took_bucket[5m5s])))",
    "max by (area) (load) > 50",
    "load unless load > 50",
  };

  @TempDir private Path folder;

  @Test
  void it_agrees_with_promtool() throws IOException, InterruptedException {
    assumeTrue(isInstalled(), "promtool is not installed: it comes with Debian's prometheus");
    var samples = new Samples();
    for (int i = 0; i <= 40; i++) {
      double at = i * 15;
      samples.add("calls_total", Map.of("area", "a"), at, 7 * i);
      samples.add("calls_total", Map.of("area", "b"), at, i < 20 ? 100 + 3 * i : 3 * (i - 20));
      samples.add("load", Map.of("area", "a"), at, 2 * i);
      samples.add("load", Map.of("area", "b"), at, i);
      samples.add("took_bucket", Map.of("le", "1"), at, 2 * i);
      samples.add("took_bucket", Map.of("le", "10"), at, 5 * i);
      samples.add("took_bucket", Map.of("le", "+Inf"), at, 6 * i);
    }
    var test = new StringBuilder(SERIES);
    for (var expression : EXPRESSIONS) {
      test.append("      - expr: '").append(expression).append("'\n        eval_time: 10m\n");
      test.append("        exp_samples:\n");
      var elements = new Evaluator(samples).vector(Expression.parse(expression), 600);
      assertThat(elements).as(expression).isNotEmpty();
      for (var element : elements) {
        test.append("          - labels: '").append(labels(expression, element.labels()));
        test.append("'\n            value: ").append(element.value()).append('\n');
      }
    }
    var file = Files.writeString(folder.resolve("test.yml"), test);
    Files.writeString(folder.resolve("rules.yml"), "groups: []\n");
    var told = folder.resolve("told.txt");
    var process =
        new ProcessBuilder(List.of("promtool", "test", "rules", file.toString()))
            .redirectErrorStream(true)
            .redirectOutput(told.toFile())
            .start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(told)).isZero();
  }

  private static final String SERIES =
      """
      rule_files: [rules.yml]
      evaluation_interval: 15s
      tests:
        - interval: 15s
          input_series:
            - series: calls_total{area="a"}
              values: 0+7x40
            - series: calls_total{area="b"}
              values: 100+3x19 0+3x20
            - series: load{area="a"}
              values: 0+2x40
            - series: load{area="b"}
              values: 0+1x40
            - series: took_bucket{le="1"}
              values: 0+2x40
            - series: took_bucket{le="10"}
              values: 0+5x40
            - series: took_bucket{le="+Inf"}
              values: 0+6x40
          promql_expr_test:
      """;

  /// Only what is taken as it is keeps its name.
  private static String labels(String expression, Map<String, String> labels) {
    var name = expression.startsWith("load") ? "load" : "";
    var pairs = labels.entrySet().stream().map(it -> it.getKey() + "=\"" + it.getValue() + "\"");
    return name + "{" + String.join(",", pairs.sorted().toList()) + "}";
  }

  private static boolean isInstalled() {
    var path = System.getenv().getOrDefault("PATH", "");
    return Stream.of(path.split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "promtool")));
  }
}
