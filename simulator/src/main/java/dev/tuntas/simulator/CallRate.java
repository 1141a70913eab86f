package dev.tuntas.simulator;

import java.time.Instant;
import java.util.ArrayDeque;

/// Counts the calls of any one second, wherever it begins.
final class CallRate {

  private static final long SECOND_MS = 1_000;

  private final ArrayDeque<Long> last = new ArrayDeque<>();
  private long calls;
  private int highest;
  private long violations;

  /// Counts a call, and says whether it is one too many.
  synchronized boolean exceeds(long limit, Instant now) {
    long at = now.toEpochMilli();
    while (!last.isEmpty() && last.getFirst() <= at - SECOND_MS) last.removeFirst();
    last.addLast(at);
    calls++;
    highest = Math.max(highest, last.size());
    if (last.size() <= limit) return false;
    violations++;
    return true;
  }

  synchronized SimulatedDispatch.Traffic traffic() {
    return new SimulatedDispatch.Traffic(calls, highest, violations);
  }
}
