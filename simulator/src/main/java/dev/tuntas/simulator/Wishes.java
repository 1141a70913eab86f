package dev.tuntas.simulator;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/// Reads the fields by which a behaviour is to be changed; those that are missing stay as they are.
final class Wishes {

  private static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String field;
    private final String code;
    private final String sentence;

    RefusedException(String field, String code, String sentence) {
      super(sentence, null, false, false);
      this.field = field;
      this.code = code;
      this.sentence = sentence;
    }
  }

  private final Map<String, ?> changes;

  private Wishes(Map<String, ?> changes) {
    this.changes = changes;
  }

  /// What the reader makes of them, unless one is wrong or not among the fields.
  static <B> Change<B> read(
      Map<String, ?> changes, Set<String> fields, Function<Wishes, B> reader) {
    try {
      requireKnown(changes, fields);
      return new Change.Changed<>(reader.apply(new Wishes(changes)));
    } catch (RefusedException e) {
      return new Change.Refused<>(e.field, e.code, e.sentence);
    }
  }

  private static void requireKnown(Map<String, ?> changes, Set<String> fields) {
    for (var field : changes.keySet()) {
      if (fields.contains(field)) continue;
      var known = String.join(", ", new TreeSet<>(fields));
      throw new RefusedException(
          field, "unknown_field", "A behaviour has the fields " + known + " and no other.");
    }
  }

  boolean flag(String field, boolean otherwise) {
    if (!changes.containsKey(field)) return otherwise;
    if (changes.get(field) instanceof Boolean yes) return yes;
    throw new RefusedException(field, "field_type", field + " is true or false.");
  }

  double rate(String field, double otherwise) {
    if (!changes.containsKey(field)) return otherwise;
    double rate = number(field);
    if (rate >= 0 && rate <= 1) return rate;
    throw new RefusedException(field, "out_of_range", field + " is between 0 and 1.");
  }

  long whole(String field, long least, long most, long otherwise) {
    if (!changes.containsKey(field)) return otherwise;
    double number = number(field);
    if (isWhole(number, least, most)) return (long) number;
    throw new RefusedException(
        field,
        "out_of_range",
        field + " is a whole number between " + least + " and " + most + ".");
  }

  /// A time, or the shortest and the longest.
  Span span(String field, long mostMs, Span otherwise) {
    if (!changes.containsKey(field)) return otherwise;
    if (!(changes.get(field) instanceof List<?> ends)) {
      return Span.always(whole(field, 0, mostMs, 0));
    }
    if (ends.size() != 2
        || !(ends.getFirst() instanceof Number least)
        || !(ends.getLast() instanceof Number most)) {
      throw new RefusedException(
          field, "field_type", field + " is a number, or a list of the least and the most.");
    }
    if (!isWhole(least.doubleValue(), 0, mostMs)
        || !isWhole(most.doubleValue(), least.longValue(), mostMs)) {
      throw new RefusedException(
          field, "out_of_range", field + " has two whole numbers up to " + mostMs + ", in order.");
    }
    return new Span(least.longValue(), most.longValue());
  }

  private double number(String field) {
    if (changes.get(field) instanceof Number number) return number.doubleValue();
    throw new RefusedException(field, "field_type", field + " is a number.");
  }

  private static boolean isWhole(double number, long least, long most) {
    return number >= least && number <= most && number == Math.rint(number);
  }
}
