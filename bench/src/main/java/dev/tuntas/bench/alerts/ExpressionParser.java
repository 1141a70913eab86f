package dev.tuntas.bench.alerts;

import dev.tuntas.bench.alerts.Expression.Aggregate;
import dev.tuntas.bench.alerts.Expression.Binary;
import dev.tuntas.bench.alerts.Expression.Call;
import dev.tuntas.bench.alerts.Expression.Matcher;
import dev.tuntas.bench.alerts.Expression.Matching;
import dev.tuntas.bench.alerts.Expression.Selector;
import dev.tuntas.bench.alerts.Tokens.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads expressions. Operators bind as in PromQL; those on one level from left to right.
final class ExpressionParser {

  private static final List<Set<String>> LEVELS =
      List.of(
          Set.of("or"),
          Set.of("and", "unless"),
          Set.of("==", "!=", ">", "<", ">=", "<="),
          Set.of("+", "-"),
          Set.of("*", "/", "%"));
  private static final Set<String> AGGREGATES = Set.of("sum", "max", "min", "avg", "count");
  static final Set<String> FUNCTIONS =
      Set.of("rate", "increase", "histogram_quantile", "clamp_min", "clamp_max", "max_over_time");
  private static final Pattern DURATION = Pattern.compile("(\\d+)(ms|[smhdwy])");

  private final Tokens tokens;

  ExpressionParser(String text) {
    tokens = new Tokens(text);
  }

  Expression parse() {
    var expression = level(0);
    if (tokens.peek().kind() != Kind.END) throw tokens.unexpected(tokens.peek().at());
    return expression;
  }

  private Expression level(int level) {
    if (level == LEVELS.size()) return unary();
    var left = level(level + 1);
    while (LEVELS.get(level).stream().anyMatch(tokens.peek()::is)) {
      var operator = tokens.take().text();
      var matching = matching();
      left = new Binary(operator, left, level(level + 1), matching);
    }
    return left;
  }

  private Matching matching() {
    boolean on = tokens.takeIf("on");
    if (!on && !tokens.takeIf("ignoring")) return Matching.ALL;
    var labels = labels();
    boolean many = tokens.takeIf("group_left");
    if (many && tokens.peek().is("(")) labels();
    return new Matching(labels, on, many);
  }

  private List<String> labels() {
    var labels = new ArrayList<String>();
    tokens.expect("(");
    while (!tokens.takeIf(")")) {
      labels.add(tokens.take(Kind.NAME).text());
      if (!tokens.peek().is(")")) tokens.expect(",");
    }
    return labels;
  }

  private Expression unary() {
    if (tokens.takeIf("-")) {
      return new Binary("*", new Expression.Constant(-1), unary(), Matching.ALL);
    }
    if (tokens.takeIf("(")) {
      var inner = level(0);
      tokens.expect(")");
      return inner;
    }
    if (tokens.peek().kind() == Kind.NUMBER) {
      return new Expression.Constant(Double.parseDouble(tokens.take().text()));
    }
    var name = tokens.peek().kind() == Kind.NAME ? tokens.take() : null;
    if (name == null) return selector("");
    if (AGGREGATES.contains(name.text())) return aggregate(name.text());
    if (!tokens.peek().is("(")) return selector(name.text());
    if (!FUNCTIONS.contains(name.text())) throw tokens.unexpected(name.at());
    return new Call(name.text(), arguments());
  }

  private List<Expression> arguments() {
    var arguments = new ArrayList<Expression>();
    tokens.expect("(");
    while (!tokens.takeIf(")")) {
      arguments.add(level(0));
      if (!tokens.peek().is(")")) tokens.expect(",");
    }
    return arguments;
  }

  /// The labels stand before what is added up, or after it.
  private Expression aggregate(String operator) {
    boolean without = tokens.peek().is("without");
    boolean first = tokens.takeIf("by") || tokens.takeIf("without");
    var labels = first ? labels() : List.<String>of();
    tokens.expect("(");
    var of = level(0);
    tokens.expect(")");
    if (!first) {
      without = tokens.peek().is("without");
      if (tokens.takeIf("by") || tokens.takeIf("without")) labels = labels();
    }
    return new Aggregate(operator, labels, without, of);
  }

  private Expression selector(String name) {
    var matchers = new ArrayList<Matcher>();
    if (name.isEmpty()) throw tokens.unexpected(tokens.peek().at());
    if (tokens.takeIf("{")) {
      while (!tokens.takeIf("}")) {
        matchers.add(matcher());
        if (!tokens.peek().is("}")) tokens.expect(",");
      }
    }
    Duration range = null;
    if (tokens.takeIf("[")) {
      range = duration(tokens.take(Kind.DURATION).text());
      tokens.expect("]");
    }
    return new Selector(name, matchers, range);
  }

  private Matcher matcher() {
    var label = tokens.take(Kind.NAME).text();
    var operator = tokens.take(Kind.SYMBOL).text();
    var quoted = tokens.take(Kind.TEXT).text();
    var text = quoted.substring(1, quoted.length() - 1).replaceAll("\\\\(.)", "$1");
    return switch (operator) {
      case "=" -> new Matcher(label, Pattern.compile(Pattern.quote(text)), true);
      case "!=" -> new Matcher(label, Pattern.compile(Pattern.quote(text)), false);
      case "=~" -> new Matcher(label, Pattern.compile(text), true);
      case "!~" -> new Matcher(label, Pattern.compile(text), false);
      default -> throw tokens.unexpected(tokens.peek().at());
    };
  }

  /// 5m, 1h30m.
  static Duration duration(String text) {
    var parts = DURATION.matcher(text);
    var sum = Duration.ZERO;
    int end = 0;
    while (parts.find() && parts.start() == end) {
      long count = Long.parseLong(parts.group(1));
      sum =
          sum.plus(
              switch (parts.group(2)) {
                case "ms" -> Duration.ofMillis(count);
                case "s" -> Duration.ofSeconds(count);
                case "m" -> Duration.ofMinutes(count);
                case "h" -> Duration.ofHours(count);
                case "d" -> Duration.ofDays(count);
                case "w" -> Duration.ofDays(7 * count);
                default -> Duration.ofDays(365 * count);
              });
      end = parts.end();
    }
    if (end == 0 || end < text.length()) {
      throw new IllegalArgumentException("'" + text + "' is no duration such as 5m");
    }
    return sum;
  }
}
