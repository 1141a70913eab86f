package dev.tuntas.testkit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The notices of one saga, in order. From the first that failed or is dead, all wait.
final class OutboxQueue {

  /// Queues whose first failed notice is to be retried, by when.
  static final Comparator<OutboxQueue> BY_RETRY =
      Comparator.comparing(OutboxQueue::retryAt).thenComparingLong(queue -> queue.blocker().pos());

  private final TreeMap<Long, OutboxLine> lines = new TreeMap<>();
  private @Nullable OutboxLine blocker;

  void put(OutboxLine line) {
    lines.put(line.pos(), line);
    if (line.isTroubled() || isBlocker(line.pos())) findBlocker();
  }

  void remove(long pos) {
    lines.remove(pos);
    if (isBlocker(pos)) findBlocker();
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  /// Whether nothing in it has failed.
  boolean isFlowing() {
    return blocker == null;
  }

  /// Those that nothing holds back.
  Collection<OutboxLine> head() {
    return blocker == null ? lines.values() : lines.headMap(blocker.pos()).values();
  }

  boolean isRetrying() {
    return blocker != null && !blocker.isDead();
  }

  Instant retryAt() {
    var at = blocker().retryAt();
    if (at == null) throw new IllegalStateException(blocker() + " is not retried");
    return at;
  }

  /// Those that were held back and now are not.
  List<OutboxLine> openAgain(Instant now) {
    var open = new ArrayList<OutboxLine>();
    for (var line : lines.tailMap(blocker().pos()).values()) {
      if (!line.isOpenAt(now)) break;
      open.add(line);
    }
    return open;
  }

  private boolean isBlocker(long pos) {
    return blocker != null && blocker.pos() == pos;
  }

  private OutboxLine blocker() {
    if (blocker == null) throw new IllegalStateException("nothing is held back in " + lines);
    return blocker;
  }

  private void findBlocker() {
    blocker = null;
    for (var line : lines.values()) {
      if (line.isTroubled()) {
        blocker = line;
        return;
      }
    }
  }
}
