package dev.tuntas.simulator;

import java.util.Map;
import java.util.Set;

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
      Set.of("down", "error_rate", "latency_ms", "lost_reply_rate", "reset");

  /// This with the fields that are named; with `"reset": true`, calm with them.
  public Change<Behaviour> with(Map<String, ?> changes) {
    return Wishes.read(
        changes, FIELDS, wishes -> (wishes.flag("reset", false) ? CALM : this).with(wishes));
  }

  Behaviour with(Wishes wishes) {
    return new Behaviour(
        wishes.flag("down", down),
        wishes.rate("error_rate", errorRate),
        wishes.whole("latency_ms", 0, LATENCY_MS_MAX, latencyMs),
        wishes.rate("lost_reply_rate", lostReplyRate));
  }
}
