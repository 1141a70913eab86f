package dev.tuntas.bench.alerts;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An expression of PromQL, or a part of one.
public sealed interface Expression {

  record Constant(double value) implements Expression {}

  /// @param range how far back, for those who want more than the last sample
  record Selector(String name, List<Matcher> matchers, @Nullable Duration range)
      implements Expression {}

  record Call(String function, List<Expression> arguments) implements Expression {}

  /// @param by the labels that are kept; with `without`, those that are not
  record Aggregate(String operator, List<String> by, boolean without, Expression of)
      implements Expression {}

  record Binary(String operator, Expression left, Expression right, Matching matching)
      implements Expression {}

  /// What a label must be, or must not be.
  record Matcher(String label, Pattern pattern, boolean wanted) {}

  /// Which labels must be equal on both sides of an operator: these, or all but these.
  ///
  /// @param many whether several on the left may meet one on the right
  record Matching(List<String> labels, boolean on, boolean many) {
    static final Matching ALL = new Matching(List.of(), false, false);
  }

  /// Reads an expression. What is not understood is an [IllegalArgumentException] that says where.
  static Expression parse(String text) {
    return new ExpressionParser(text).parse();
  }
}
