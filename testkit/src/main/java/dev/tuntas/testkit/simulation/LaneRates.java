package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.Lane;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How many calls go to each partner in any second, all processes together.
final class LaneRates {

  private static final long SECOND = 1_000;

  /// Each process may burst a little when it starts.
  private static final double TOLERANCE = 2;

  private static final int BURSTS = 5;

  private final VirtualTime time;
  private final Map<String, Double> limits = new HashMap<>();
  private final Map<String, Deque<Long>> calls = new HashMap<>();

  LaneRates(List<Lane.Settings> lanes, VirtualTime time) {
    this.time = time;
    for (var lane : lanes) limits.put(lane.name(), lane.perSecond());
  }

  void calling(String sagaId, String lane) {
    var limit = limits.get(lane);
    if (limit == null) return;
    var lately = calls.computeIfAbsent(lane, _ -> new ArrayDeque<>());
    lately.add(time.millis());
    while (lately.getFirst() <= time.millis() - SECOND) lately.removeFirst();
    if (lately.size() > limit * TOLERANCE + BURSTS) {
      throw new Violation(sagaId, lately.size() + " calls in a second to " + lane);
    }
  }
}
