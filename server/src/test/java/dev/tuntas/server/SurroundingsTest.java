package dev.tuntas.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SurroundingsTest {

  @Test
  void machines_read_json_and_people_read_lines() {
    assertThat(Surroundings.defaults(false, Map.of()))
        .containsEntry("logging.structured.format.console", "logstash");
    assertThat(Surroundings.defaults(true, Map.of())).isEmpty();
  }

  @Test
  void traces_go_to_the_collector_that_the_standard_variable_names() {
    var variables = Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/");

    assertThat(Surroundings.defaults(true, variables))
        .containsExactly(
            Map.entry(
                "management.opentelemetry.tracing.export.otlp.endpoint",
                "http://collector:4318/v1/traces"));
  }
}
