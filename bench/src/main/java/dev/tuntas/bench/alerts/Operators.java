package dev.tuntas.bench.alerts;

import dev.tuntas.bench.alerts.Evaluator.Element;
import dev.tuntas.bench.alerts.Evaluator.Value;
import dev.tuntas.bench.alerts.Evaluator.Value.Scalar;
import dev.tuntas.bench.alerts.Evaluator.Value.Vector;
import dev.tuntas.bench.alerts.Expression.Binary;
import dev.tuntas.bench.alerts.Expression.Matching;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Operators between two values. A comparison keeps what it holds for; what meets nothing on the
/// other side is gone.
final class Operators {

  private static final Set<String> COMPARISONS = Set.of("==", "!=", ">", "<", ">=", "<=");

  private Operators() {}

  static Value apply(Binary binary, Value left, Value right) {
    var operator = binary.operator();
    if (left instanceof Vector(var lefts) && right instanceof Vector(var rights)) {
      return new Vector(
          switch (operator) {
            case "and" -> kept(lefts, keys(rights, binary.matching()), binary.matching(), true);
            case "unless" -> kept(lefts, keys(rights, binary.matching()), binary.matching(), false);
            case "or" -> joined(lefts, rights, binary.matching());
            default -> paired(operator, lefts, rights, binary.matching());
          });
    }
    if (left instanceof Vector(var lefts) && right instanceof Scalar(double number)) {
      return each(operator, lefts, it -> it, _ -> number, it -> it);
    }
    if (left instanceof Scalar(double number) && right instanceof Vector(var rights)) {
      return each(operator, rights, _ -> number, it -> it, it -> it);
    }
    double a = ((Scalar) left).value();
    double b = ((Scalar) right).value();
    if (COMPARISONS.contains(operator)) return new Scalar(holds(operator, a, b) ? 1 : 0);
    return new Scalar(number(operator, a, b));
  }

  @FunctionalInterface
  private interface Of {
    double of(double value);
  }

  private static Vector each(String operator, List<Element> all, Of left, Of right, Of kept) {
    var elements = new ArrayList<Element>();
    for (var it : all) {
      double a = left.of(it.value());
      double b = right.of(it.value());
      if (!COMPARISONS.contains(operator)) {
        elements.add(new Element(it.labels(), number(operator, a, b)));
      } else if (holds(operator, a, b)) {
        elements.add(new Element(it.labels(), kept.of(it.value())));
      }
    }
    return new Vector(elements);
  }

  private static List<Element> paired(
      String operator, List<Element> lefts, List<Element> rights, Matching matching) {
    var others = new HashMap<Map<String, String>, Element>();
    for (var right : rights) {
      if (others.put(key(right, matching), right) != null) {
        throw new IllegalArgumentException(
            "several on the right of " + operator + " have the labels " + key(right, matching));
      }
    }
    var met = new HashSet<Map<String, String>>();
    var elements = new ArrayList<Element>();
    for (var left : lefts) {
      var key = key(left, matching);
      var right = others.get(key);
      if (right == null) continue;
      if (!met.add(key) && !matching.many()) {
        throw new IllegalArgumentException(
            "several on the left of " + operator + " have the labels " + key);
      }
      var labels = matching.on() && !matching.many() ? key : left.labels();
      if (!COMPARISONS.contains(operator)) {
        elements.add(new Element(labels, number(operator, left.value(), right.value())));
      } else if (holds(operator, left.value(), right.value())) {
        elements.add(new Element(labels, left.value()));
      }
    }
    return elements;
  }

  private static List<Element> kept(
      List<Element> lefts, Set<Map<String, String>> keys, Matching matching, boolean wanted) {
    return lefts.stream().filter(it -> keys.contains(key(it, matching)) == wanted).toList();
  }

  private static List<Element> joined(
      List<Element> lefts, List<Element> rights, Matching matching) {
    var elements = new ArrayList<>(lefts);
    elements.addAll(kept(rights, keys(lefts, matching), matching, false));
    return elements;
  }

  private static Set<Map<String, String>> keys(List<Element> elements, Matching matching) {
    var keys = new HashSet<Map<String, String>>();
    for (var element : elements) keys.add(key(element, matching));
    return keys;
  }

  private static Map<String, String> key(Element element, Matching matching) {
    var key = new HashMap<String, String>();
    element
        .labels()
        .forEach(
            (name, value) -> {
              if (matching.labels().contains(name) == matching.on()) key.put(name, value);
            });
    return key;
  }

  private static double number(String operator, double a, double b) {
    return switch (operator) {
      case "+" -> a + b;
      case "-" -> a - b;
      case "*" -> a * b;
      case "/" -> a / b;
      case "%" -> a % b;
      default -> throw new IllegalArgumentException("there is no operator " + operator);
    };
  }

  private static boolean holds(String operator, double a, double b) {
    return switch (operator) {
      case "==" -> a == b;
      case "!=" -> a != b;
      case ">" -> a > b;
      case "<" -> a < b;
      case ">=" -> a >= b;
      case "<=" -> a <= b;
      default -> throw new IllegalArgumentException(operator + " compares nothing");
    };
  }
}
