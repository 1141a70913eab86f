package dev.tuntas.testkit;

import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.saga.Notice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Waiting notices and dead letters. Notices behind a failed one are kept apart from those that
/// flow, so that a saga in trouble costs the others nothing.
final class OutboxTable implements Outbox {

  private static final Comparator<OutboxLine> BY_POS = Comparator.comparingLong(OutboxLine::pos);

  private final NavigableMap<Long, OutboxLine> waiting = new TreeMap<>();
  private final NavigableMap<Long, OutboxLine> dead = new TreeMap<>();
  private final Map<String, OutboxQueue> queues = new HashMap<>();
  private final NavigableMap<Long, OutboxLine> flowing = new TreeMap<>();
  private final TreeSet<OutboxQueue> retrying = new TreeSet<>(OutboxQueue.BY_RETRY);
  private long lastPos;

  /// The notices of the version that the saga has now.
  void add(SagaRow saga, List<Notice> notices) {
    for (int seq = 0; seq < notices.size(); seq++) {
      var notice = notices.get(seq);
      lastPos++;
      write(
          new OutboxLine(
              new Entry(
                  lastPos,
                  saga.id(),
                  saga.version(),
                  seq,
                  notice.type(),
                  notice.body(),
                  saga.movedAt(),
                  0)));
    }
  }

  @Override
  public List<Entry> next(Instant now, int limit) {
    var open = new ArrayList<>(flowing.values().stream().limit(limit).toList());
    for (var queue : retrying) {
      if (queue.retryAt().isAfter(now)) break;
      open.addAll(queue.openAgain(now));
    }
    return open.stream().sorted(BY_POS).limit(limit).map(OutboxLine::entry).toList();
  }

  @Override
  public void published(Collection<Long> positions) {
    for (var pos : positions) remove(pos);
  }

  @Override
  public void failed(long pos, String error, Instant retryAt) {
    var line = waiting.get(pos);
    if (line != null) write(line.failed(retryAt));
  }

  @Override
  public void postpone(long pos, String error, Instant retryAt) {
    var line = waiting.get(pos);
    if (line != null) write(line.postponed(retryAt));
  }

  @Override
  public void bury(long pos, String error) {
    var line = waiting.get(pos);
    if (line != null) write(line.buried(error));
  }

  @Override
  public List<DeadLetter> deadLetters(int limit) {
    return dead.values().stream().limit(limit).map(OutboxLine::letter).toList();
  }

  @Override
  public boolean revive(long pos) {
    var line = dead.get(pos);
    if (line != null) write(line.revived());
    return line != null;
  }

  @Override
  public boolean discard(long pos) {
    if (!dead.containsKey(pos)) return false;
    remove(pos);
    return true;
  }

  @Override
  public Lag lag() {
    var oldest = waiting.firstEntry();
    return new Lag(
        waiting.size(), dead.size(), oldest == null ? null : oldest.getValue().entry().at());
  }

  /// Adds a line, or puts it in the place of the one with its position.
  private void write(OutboxLine line) {
    var queue = queues.computeIfAbsent(line.entry().sagaId(), _ -> new OutboxQueue());
    (line.isDead() ? waiting : dead).remove(line.pos());
    (line.isDead() ? dead : waiting).put(line.pos(), line);
    if (queue.isFlowing() && !line.isTroubled()) {
      queue.put(line);
      flowing.put(line.pos(), line);
    } else {
      detach(queue);
      queue.put(line);
      attach(queue);
    }
  }

  private void remove(long pos) {
    var line = waiting.containsKey(pos) ? waiting.remove(pos) : dead.remove(pos);
    if (line == null) return;
    var queue = queue(line.entry().sagaId());
    if (queue.isFlowing()) {
      queue.remove(pos);
      flowing.remove(pos);
    } else {
      detach(queue);
      queue.remove(pos);
      attach(queue);
    }
    if (queue.isEmpty()) queues.remove(line.entry().sagaId());
  }

  private OutboxQueue queue(String sagaId) {
    var queue = queues.get(sagaId);
    if (queue == null) throw new IllegalStateException("saga " + sagaId + " has no notices");
    return queue;
  }

  private void attach(OutboxQueue queue) {
    for (var line : queue.head()) flowing.put(line.pos(), line);
    if (queue.isRetrying()) retrying.add(queue);
  }

  private void detach(OutboxQueue queue) {
    for (var line : queue.head()) flowing.remove(line.pos());
    if (queue.isRetrying()) retrying.remove(queue);
  }
}
