package dev.tuntas.testkit;

import dev.tuntas.engine.InboxItem;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaStore.Put;
import dev.tuntas.saga.Signal;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What was said to sagas, whether they exist or not. It knows at any time which sagas should be
/// woken and which rows their owners have yet to apply.
final class InboxTable {

  private record Key(String source, String externalId) {}

  private static final class Row {
    final InboxItem item;
    final Instant at;
    @Nullable String verdict;

    Row(InboxItem item, Instant at) {
      this.item = item;
      this.at = at;
    }

    long pos() {
      return item.pos();
    }

    Key key() {
      return new Key(item.signal().source(), item.signal().externalId());
    }
  }

  /// All rows of one saga, and where that saga stands.
  private static final class Box {
    final NavigableMap<Long, Row> rows = new TreeMap<>();
    final NavigableMap<Long, Row> unapplied = new TreeMap<>();
    boolean exists;
    @Nullable Integer owner;

    Box(@Nullable SagaRow saga) {
      exists = saga != null;
      owner = saga == null ? null : saga.owner();
    }
  }

  private final Map<Key, Row> byKey = new HashMap<>();
  private final Map<String, Box> boxes = new HashMap<>();
  private final NavigableMap<Long, Row> unapplied = new TreeMap<>();
  private final NavigableMap<Long, String> wakeUps = new TreeMap<>();
  private final Map<Integer, NavigableMap<Long, Row>> pending = new HashMap<>();
  private final TreeSet<Row> purgeable =
      new TreeSet<>(Comparator.comparing((Row row) -> row.at).thenComparingLong(Row::pos));
  private long lastPos;

  Put put(String sagaId, @Nullable SagaRow saga, Signal signal, Instant at) {
    var row = new Row(new InboxItem(lastPos + 1, sagaId, signal), at);
    var known = byKey.putIfAbsent(row.key(), row);
    if (known != null) return isSame(known.item, row.item) ? Put.KNOWN : Put.CONFLICT;
    lastPos++;
    var box = boxes.computeIfAbsent(sagaId, _ -> new Box(saga));
    detach(box);
    box.rows.put(row.pos(), row);
    box.unapplied.put(row.pos(), row);
    unapplied.put(row.pos(), row);
    attach(box);
    return Put.NEW;
  }

  /// Settles a row of this saga; one of another saga is left alone.
  void apply(String sagaId, long pos, String verdict) {
    var row = unapplied.get(pos);
    if (row == null || !row.item.sagaId().equals(sagaId)) return;
    var box = box(sagaId);
    detach(box);
    row.verdict = verdict;
    box.unapplied.remove(pos);
    unapplied.remove(pos);
    attach(box);
  }

  /// Follows a saga that came or changed its owner.
  void follow(SagaRow saga) {
    var box = boxes.get(saga.id());
    if (box == null) return;
    detach(box);
    box.exists = true;
    box.owner = saga.owner();
    attach(box);
  }

  void removeSaga(String id) {
    var box = boxes.get(id);
    if (box != null) List.copyOf(box.rows.values()).forEach(this::remove);
  }

  /// Sagas that exist, are owned by nobody and have something to hear; the longest waiting first.
  Collection<String> wakeUps() {
    return wakeUps.values();
  }

  List<InboxItem> pending(int node, int limit) {
    var rows = pending.get(node);
    return rows == null ? List.of() : items(rows.values(), limit);
  }

  List<InboxItem> unapplied() {
    return items(unapplied.values(), Integer.MAX_VALUE);
  }

  Optional<String> verdict(String source, String externalId) {
    var row = byKey.get(new Key(source, externalId));
    return row == null ? Optional.empty() : Optional.ofNullable(row.verdict);
  }

  int purge(Instant before, int limit) {
    var old = purgeable.stream().takeWhile(row -> row.at.isBefore(before)).limit(limit).toList();
    old.forEach(this::remove);
    return old.size();
  }

  private void remove(Row row) {
    var box = box(row.item.sagaId());
    detach(box);
    byKey.remove(row.key());
    purgeable.remove(row);
    unapplied.remove(row.pos());
    box.unapplied.remove(row.pos());
    box.rows.remove(row.pos());
    if (box.rows.isEmpty()) boxes.remove(row.item.sagaId());
    attach(box);
  }

  private void attach(Box box) {
    if (box.unapplied.isEmpty()) return;
    var owner = box.owner;
    if (!box.exists) purgeable.addAll(box.unapplied.values());
    else if (owner == null) wakeUps.put(box.unapplied.firstKey(), sagaOf(box));
    else pending.computeIfAbsent(owner, _ -> new TreeMap<>()).putAll(box.unapplied);
  }

  private void detach(Box box) {
    if (box.unapplied.isEmpty()) return;
    var owner = box.owner;
    if (!box.exists) purgeable.removeAll(box.unapplied.values());
    else if (owner == null) wakeUps.remove(box.unapplied.firstKey());
    else detachFrom(owner, box);
  }

  private void detachFrom(int owner, Box box) {
    pending.computeIfPresent(
        owner,
        (_, rows) -> {
          box.unapplied.keySet().forEach(rows::remove);
          return rows.isEmpty() ? null : rows;
        });
  }

  private Box box(String sagaId) {
    var box = boxes.get(sagaId);
    if (box == null) throw new IllegalStateException("nothing was said to saga " + sagaId);
    return box;
  }

  private static String sagaOf(Box box) {
    return box.rows.firstEntry().getValue().item.sagaId();
  }

  private static boolean isSame(InboxItem a, InboxItem b) {
    return a.sagaId().equals(b.sagaId()) && a.signal().equals(b.signal());
  }

  private static List<InboxItem> items(Collection<Row> rows, int limit) {
    return rows.stream().limit(limit).map(row -> row.item).toList();
  }
}
