package dev.tuntas.engine;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/// The sagas that this process started and had no room to run. They wait in the store and are begun
/// in their order, here or elsewhere: while there are any, what is started later waits too.
final class Backlog {

  /// Times are as coarse as this, so that a million need little memory.
  private static final long GRAIN_MILLIS = 50;

  /// Those that were started at about the same time.
  private static final class Group {
    private final long grain;
    private int sagas;

    Group(long grain) {
      this.grain = grain;
    }
  }

  private final Deque<Group> groups = new ArrayDeque<>();
  private volatile int waiting;

  int waiting() {
    return waiting;
  }

  /// One was left in the store.
  synchronized void left(Instant startedAt) {
    long grain = grain(startedAt);
    if (groups.isEmpty() || grain > groups.getLast().grain) groups.add(new Group(grain));
    groups.getLast().sagas += 1;
    waiting += 1;
  }

  /// One was begun: so all that were started before it have been begun, by whomever.
  synchronized void begun(Instant startedAt) {
    long grain = grain(startedAt);
    for (var first = groups.peek(); first != null && first.grain < grain; first = groups.peek()) {
      waiting -= groups.remove().sagas;
    }
  }

  /// There is room, and nobody who wants it.
  synchronized void caughtUp() {
    groups.clear();
    waiting = 0;
  }

  private static long grain(Instant at) {
    return at.toEpochMilli() / GRAIN_MILLIS;
  }
}
