package dev.tuntas.bench.alerts;

import dev.tuntas.bench.alerts.Expression.Aggregate;
import dev.tuntas.bench.alerts.Expression.Binary;
import dev.tuntas.bench.alerts.Expression.Call;
import dev.tuntas.bench.alerts.Expression.Matcher;
import dev.tuntas.bench.alerts.Expression.Selector;
import dev.tuntas.bench.alerts.Samples.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Says what an expression is worth at a moment, as Prometheus would.
public final class Evaluator {

  /// A value for a set of labels.
  public record Element(Map<String, String> labels, double value) {}

  /// What an expression is worth.
  sealed interface Value {
    record Scalar(double value) implements Value {}

    record Vector(List<Element> elements) implements Value {}
  }

  /// A sample that is older says nothing any more.
  private static final double STALE_SECONDS = 300;

  private final Samples samples;

  public Evaluator(Samples samples) {
    this.samples = samples;
  }

  /// @param at in seconds
  public List<Element> vector(Expression expression, double at) {
    return switch (value(expression, at)) {
      case Value.Vector(var elements) -> elements;
      case Value.Scalar(double value) -> List.of(new Element(Map.of(), value));
    };
  }

  Value value(Expression expression, double at) {
    return switch (expression) {
      case Expression.Constant(double value) -> new Value.Scalar(value);
      case Selector selector -> last(selector, at);
      case Call call -> call(call, at);
      case Aggregate aggregate -> new Value.Vector(aggregate(aggregate, at));
      case Binary binary ->
          Operators.apply(binary, value(binary.left(), at), value(binary.right(), at));
    };
  }

  private Value last(Selector selector, double at) {
    if (selector.range() != null) {
      throw new IllegalArgumentException("only a function takes a range: " + selector.name());
    }
    var elements = new ArrayList<Element>();
    for (var series : samples.named(selector.name())) {
      if (!matches(selector.matchers(), series.labels)) continue;
      var recent = series.between(at - STALE_SECONDS, at);
      if (!recent.isEmpty()) elements.add(new Element(series.labels, recent.getLast().value()));
    }
    return new Value.Vector(elements);
  }

  private static boolean matches(List<Matcher> matchers, Map<String, String> labels) {
    return matchers.stream()
        .allMatch(
            it ->
                it.pattern().matcher(labels.getOrDefault(it.label(), "")).matches() == it.wanted());
  }

  // Functions

  private Value call(Call call, double at) {
    var arguments = call.arguments();
    return switch (call.function()) {
      case "rate" -> overTime(range(arguments.getFirst()), at, Ranges::rate);
      case "increase" -> overTime(range(arguments.getFirst()), at, Ranges::increase);
      case "max_over_time" -> overTime(range(arguments.getFirst()), at, Ranges::highest);
      case "histogram_quantile" ->
          new Value.Vector(
              Quantiles.of(scalar(arguments.get(0), at), vector(arguments.get(1), at)));
      case "clamp_min" -> clamped(arguments, at, true);
      case "clamp_max" -> clamped(arguments, at, false);
      default -> throw new IllegalArgumentException("there is no function " + call.function());
    };
  }

  /// What is made of the samples of one series; NaN if nothing can be.
  @FunctionalInterface
  private interface OverTime {
    double of(List<Sample> window, double from, double to);
  }

  private Value overTime(Selector selector, double at, OverTime function) {
    double from = at - seconds(selector);
    var elements = new ArrayList<Element>();
    for (var series : samples.named(selector.name())) {
      if (!matches(selector.matchers(), series.labels)) continue;
      var window = series.between(from, at);
      if (window.isEmpty()) continue;
      double value = function.of(window, from, at);
      if (!Double.isNaN(value)) elements.add(new Element(series.labels, value));
    }
    return new Value.Vector(elements);
  }

  private static double seconds(Selector selector) {
    var range = selector.range();
    if (range == null) {
      throw new IllegalArgumentException(selector.name() + " needs a range such as [5m]");
    }
    return range.toMillis() / 1_000.0;
  }

  private static Selector range(Expression argument) {
    if (argument instanceof Selector selector) return selector;
    throw new IllegalArgumentException("a range of samples is wanted, not " + argument);
  }

  private double scalar(Expression expression, double at) {
    if (value(expression, at) instanceof Value.Scalar(double value)) return value;
    throw new IllegalArgumentException("a number is wanted, not " + expression);
  }

  private Value clamped(List<Expression> arguments, double at, boolean from) {
    double end = scalar(arguments.get(1), at);
    return new Value.Vector(
        vector(arguments.get(0), at).stream()
            .map(
                it ->
                    new Element(
                        it.labels, from ? Math.max(it.value, end) : Math.min(it.value, end)))
            .toList());
  }

  // Aggregates

  private List<Element> aggregate(Aggregate aggregate, double at) {
    var groups = new LinkedHashMap<Map<String, String>, List<Double>>();
    for (var element : vector(aggregate.of(), at)) {
      groups
          .computeIfAbsent(kept(aggregate, element.labels), _ -> new ArrayList<>())
          .add(element.value);
    }
    var elements = new ArrayList<Element>();
    groups.forEach(
        (labels, values) -> elements.add(new Element(labels, fold(aggregate.operator(), values))));
    return elements;
  }

  private static Map<String, String> kept(Aggregate aggregate, Map<String, String> labels) {
    var kept = new HashMap<String, String>();
    labels.forEach(
        (name, value) -> {
          if (aggregate.by().contains(name) != aggregate.without()) kept.put(name, value);
        });
    return new TreeMap<>(kept);
  }

  private static double fold(String operator, List<Double> values) {
    var numbers = values.stream().mapToDouble(it -> it);
    return switch (operator) {
      case "sum" -> numbers.sum();
      case "max" -> numbers.filter(it -> !Double.isNaN(it)).max().orElse(Double.NaN);
      case "min" -> numbers.filter(it -> !Double.isNaN(it)).min().orElse(Double.NaN);
      case "avg" -> numbers.average().orElse(Double.NaN);
      case "count" -> values.size();
      default -> throw new IllegalArgumentException("there is no aggregate " + operator);
    };
  }
}
