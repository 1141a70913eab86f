package dev.tuntas.bench.alerts;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Looks at rules again and again, and remembers which of them fired.
public final class AlertWatch {

  private final List<AlertRule> rules;
  private final Evaluator evaluator;
  private final Map<String, Map<Map<String, String>, Double>> since = new HashMap<>();
  private final Map<String, Double> firedAt = new TreeMap<>();

  public AlertWatch(List<AlertRule> rules, Samples samples) {
    this.rules = List.copyOf(rules);
    this.evaluator = new Evaluator(samples);
  }

  /// Looks at all of them. Returns those that fire now.
  public Set<String> look(double atSeconds) {
    var firing = new TreeSet<String>();
    for (var rule : rules) if (fires(rule, atSeconds)) firing.add(rule.name());
    for (var name : firing) firedAt.putIfAbsent(name, atSeconds);
    return firing;
  }

  /// Each set of labels waits by itself; what does not hold any more begins again.
  private boolean fires(AlertRule rule, double at) {
    var before = since.getOrDefault(rule.name(), Map.of());
    var now = new HashMap<Map<String, String>, Double>();
    for (var element : evaluator.vector(rule.expression(), at)) {
      now.put(element.labels(), before.getOrDefault(element.labels(), at));
    }
    since.put(rule.name(), now);
    double pending = rule.pending().toMillis() / 1_000.0;
    return now.values().stream().anyMatch(begun -> at - begun >= pending);
  }

  /// The alerts that fired, each with when it did first, in seconds.
  public Map<String, Double> fired() {
    return firedAt;
  }
}
