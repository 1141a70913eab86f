package dev.tuntas.server;

import java.io.Console;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What follows from where the program runs, unless it is configured otherwise.
final class Surroundings {

  private Surroundings() {}

  static Map<String, Object> defaults() {
    boolean terminal = Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    return defaults(terminal, System.getenv());
  }

  /// Lines for people on a terminal, else JSON for machines; traces only to a collector that is
  /// named by OpenTelemetry's own variable.
  static Map<String, Object> defaults(boolean terminal, Map<String, String> variables) {
    var defaults = new HashMap<String, Object>();
    if (!terminal) defaults.put("logging.structured.format.console", "logstash");
    var collector = variables.getOrDefault("OTEL_EXPORTER_OTLP_ENDPOINT", "");
    if (!collector.isBlank()) {
      defaults.put(
          "management.opentelemetry.tracing.export.otlp.endpoint",
          collector.replaceFirst("/$", "") + "/v1/traces");
    }
    return defaults;
  }
}
