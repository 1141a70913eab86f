package dev.tuntas.bench.scenario;

import dev.tuntas.bench.alerts.Samples;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a server's `/actuator/prometheus` says at one moment.
record Scrape(Map<String, Map<Map<String, String>, Double>> values) {

  private static final Pattern LINE =
      Pattern.compile("([a-zA-Z_:][\\w:]*)(?:\\{(.*)})?\\s+(\\S+)(?:\\s+\\d+)?");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_]\\w*)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  static Scrape parse(String text) {
    var values = new HashMap<String, Map<Map<String, String>, Double>>();
    for (var line : text.lines().toList()) {
      var parts = LINE.matcher(line);
      if (line.startsWith("#") || !parts.matches()) continue;
      values
          .computeIfAbsent(parts.group(1), _ -> new HashMap<>())
          .put(labels(parts.group(2)), number(parts.group(3)));
    }
    return new Scrape(values);
  }

  private static Map<String, String> labels(@Nullable String text) {
    var labels = new HashMap<String, String>();
    if (text == null) return labels;
    var each = LABEL.matcher(text);
    while (each.find()) labels.put(each.group(1), each.group(2).replaceAll("\\\\(.)", "$1"));
    return labels;
  }

  private static double number(String text) {
    return switch (text) {
      case "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  /// The sum of all series of this name; NaN if there is none.
  double sum(String name) {
    var found = values.get(name);
    if (found == null) return Double.NaN;
    return found.values().stream().mapToDouble(it -> it).sum();
  }

  void each(String name, BiConsumer<Map<String, String>, Double> taker) {
    values.getOrDefault(name, Map.of()).forEach(taker);
  }

  void addTo(Samples samples, double atSeconds) {
    values.forEach(
        (name, all) -> all.forEach((labels, value) -> samples.add(name, labels, atSeconds, value)));
  }
}
