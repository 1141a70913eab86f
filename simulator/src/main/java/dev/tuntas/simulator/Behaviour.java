package dev.tuntas.simulator;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// How a simulated partner behaves.
///
/// @param down whether it refuses every connection
/// @param errorRate the share of calls answered with 503, some of them after the effect
/// @param latencyMs how long it takes before it does anything
/// @param lostReplyRate the share of calls that take effect and are never answered
public record Behaviour(boolean down, double errorRate, long latencyMs, double lostReplyRate) {

  public static final long LATENCY_MS_MAX = 60_000;

  /// Up, and without faults.
  public static final Behaviour CALM = new Behaviour(false, 0, 0, 0);

  private static final Set<String> FIELDS =
      new TreeSet<>(Set.of("down", "error_rate", "latency_ms", "lost_reply_rate", "reset"));

  /// What became of a wish to change it.
  public sealed interface Change {
    record Changed(Behaviour behaviour) implements Change {}

    /// @param code `unknown_field`, `field_type` or `out_of_range`
    record Refused(String field, String code, String sentence) implements Change {}
  }

  private static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Change.Refused refused;

    RefusedException(String field, String code, String sentence) {
      super(sentence, null, false, false);
      this.refused = new Change.Refused(field, code, sentence);
    }
  }

  /// This with the fields that are named; with `"reset": true`, calm with them.
  public Change with(Map<String, ?> changes) {
    try {
      requireKnown(changes);
      var from = flag(changes, "reset", false) ? CALM : this;
      return new Change.Changed(
          new Behaviour(
              flag(changes, "down", from.down),
              rate(changes, "error_rate", from.errorRate),
              latency(changes, from.latencyMs),
              rate(changes, "lost_reply_rate", from.lostReplyRate)));
    } catch (RefusedException e) {
      return e.refused;
    }
  }

  private static void requireKnown(Map<String, ?> changes) {
    for (var field : changes.keySet()) {
      if (FIELDS.contains(field)) continue;
      throw new RefusedException(
          field,
          "unknown_field",
          "A behaviour has the fields " + String.join(", ", FIELDS) + " and no other.");
    }
  }

  private static boolean flag(Map<String, ?> changes, String field, boolean otherwise) {
    if (!changes.containsKey(field)) return otherwise;
    if (changes.get(field) instanceof Boolean yes) return yes;
    throw new RefusedException(field, "field_type", field + " is true or false.");
  }

  private static double rate(Map<String, ?> changes, String field, double otherwise) {
    if (!changes.containsKey(field)) return otherwise;
    double rate = number(changes, field);
    if (rate >= 0 && rate <= 1) return rate;
    throw new RefusedException(field, "out_of_range", field + " is between 0 and 1.");
  }

  private static long latency(Map<String, ?> changes, long otherwise) {
    var field = "latency_ms";
    if (!changes.containsKey(field)) return otherwise;
    double millis = number(changes, field);
    if (millis >= 0 && millis <= LATENCY_MS_MAX && millis == Math.rint(millis)) {
      return (long) millis;
    }
    throw new RefusedException(
        field, "out_of_range", field + " is a whole number between 0 and " + LATENCY_MS_MAX + ".");
  }

  private static double number(Map<String, ?> changes, String field) {
    if (changes.get(field) instanceof Number number) return number.doubleValue();
    throw new RefusedException(field, "field_type", field + " is a number.");
  }
}
