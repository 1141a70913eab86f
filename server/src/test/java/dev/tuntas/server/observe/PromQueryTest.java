package dev.tuntas.server.observe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The check of queries finds what is wrong with one.
class PromQueryTest {

  private static final Exposition SCRAPE =
      Exposition.read(
          """
          # TYPE tries_total counter
          tries_total{area="a",result="ok"} 0.0
          # TYPE full gauge
          full{area="a"} 0.0
          # TYPE took_seconds histogram
          took_seconds_bucket{area="a",le="+Inf"} 0
          took_seconds_count{area="a"} 0
          took_seconds_sum{area="a"} 0.0
          """);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum by (area) (rate(tries_total{result=\"ok\"}[5m])) / sum by (area)"
            + " (rate(tries_total[5m])) > 0.5",
        "histogram_quantile(0.95, sum by (area, le) (rate(took_seconds_bucket[$__rate_interval])))",
        "topk(5, max by (area) (full == 1))",
        "60 * sum(increase(took_seconds_sum[1h])) / sum(increase(took_seconds_count[1h]))"
      })
  void a_right_query_has_no_flaw(String query) {
    assertThat(PromQuery.read(query).flaws(SCRAPE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sum(rate(trials_total[5m])) | there is no metric trials_total",
        "sum by (zone) (rate(tries_total[5m])) | tries_total has no label zone",
        "sum(rate(tries_total{result=\"bad\"}[5m])) | no tries_total has the labels {result=bad}",
        "max(tries_total) | tries_total is a counter",
        "sum(rate(full[5m])) | full is a gauge",
        "histogram_quantile(0.9, took_seconds_bucket) | took_seconds_bucket is a histogram",
        "1 + 1 | it asks for nothing"
      })
  void a_wrong_query_is_found_out(String query, String flaw) {
    assertThat(PromQuery.read(query).flaws(SCRAPE)).containsExactly(flaw);
  }

  @Test
  void words_of_the_language_are_no_metrics() {
    var query = PromQuery.read("max(full) > 0.8 and max(full) < 1 or vector(1)");
    assertThat(query.selectors()).extracting(PromQuery.Selector::metric).containsOnly("full");
  }
}
