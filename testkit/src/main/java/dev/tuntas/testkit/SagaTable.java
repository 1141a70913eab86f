package dev.tuntas.testkit;

import dev.tuntas.engine.SagaRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rows of all sagas, with an index for every question that is asked often. Answers come in an
/// order that depends on nothing but what was written.
final class SagaTable {

  private static final Comparator<SagaRow> BY_MOVE =
      Comparator.comparing(SagaRow::movedAt).thenComparing(SagaRow::id);
  private static final Comparator<SagaRow> BY_DUE =
      Comparator.comparing(SagaTable::dueAt).thenComparing(SagaRow::id);
  private static final Comparator<SagaRow> BY_DEADLINE =
      Comparator.comparing(SagaRow::deadline).thenComparing(BY_DUE);

  private final Map<String, SagaRow> rows = new LinkedHashMap<>();
  private final NavigableMap<Integer, NavigableSet<SagaRow>> waitingByLane = new TreeMap<>();
  private final NavigableSet<SagaRow> waiting = new TreeSet<>(BY_DEADLINE);
  private final NavigableMap<Integer, NavigableSet<SagaRow>> runningByNode = new TreeMap<>();
  private final NavigableSet<SagaRow> ended = new TreeSet<>(BY_MOVE);
  private final NavigableMap<Integer, Long> unfinishedByKind = new TreeMap<>();

  @Nullable SagaRow get(String id) {
    return rows.get(id);
  }

  Collection<SagaRow> all() {
    return Collections.unmodifiableCollection(rows.values());
  }

  void put(SagaRow row) {
    var before = rows.put(row.id(), row);
    if (before != null) unlink(before);
    link(row);
  }

  void remove(SagaRow row) {
    if (rows.remove(row.id(), row)) unlink(row);
  }

  /// Of the `candidates` longest overdue, those with the nearest deadline.
  List<SagaRow> due(int lane, Set<Integer> kinds, Instant now, int candidates, int limit) {
    var overdue = new ArrayList<SagaRow>();
    for (var row : waitingByLane.getOrDefault(lane, Collections.emptyNavigableSet())) {
      if (overdue.size() >= candidates || dueAt(row).isAfter(now)) break;
      if (kinds.contains(row.kind())) overdue.add(row);
    }
    if (overdue.size() <= limit) return overdue;
    overdue.sort(BY_DEADLINE);
    return List.copyOf(overdue.subList(0, limit));
  }

  List<SagaRow> named(Collection<String> ids, Set<Integer> lanes, Set<Integer> kinds, Instant now) {
    return ids.stream()
        .map(this::get)
        .filter(Objects::nonNull)
        .filter(row -> row.dueAt() != null && !dueAt(row).isAfter(now))
        .filter(row -> lanes.contains(row.lane()) && kinds.contains(row.kind()))
        .toList();
  }

  List<SagaRow> late(Set<Integer> kinds, Instant now, int limit) {
    return waiting.stream()
        .takeWhile(row -> !row.deadline().isAfter(now))
        .filter(row -> kinds.contains(row.kind()))
        .limit(limit)
        .toList();
  }

  List<SagaRow> ownedByAny(IntPredicate nodes, Set<Integer> kinds, int limit) {
    var found = new ArrayList<SagaRow>();
    for (var running : runningByNode.entrySet()) {
      if (!nodes.test(running.getKey())) continue;
      for (var row : running.getValue()) {
        if (found.size() >= limit) return found;
        if (kinds.contains(row.kind())) found.add(row);
      }
    }
    return found;
  }

  List<SagaRow> ownedBy(int node, Instant from, Instant to, int limit) {
    var owned = runningByNode.getOrDefault(node, Collections.emptyNavigableSet());
    var before = owned.stream().takeWhile(row -> row.movedAt().isBefore(from));
    var after = owned.descendingSet().stream().takeWhile(row -> row.movedAt().isAfter(to));
    return Stream.concat(before, after).limit(limit).toList();
  }

  List<SagaRow> endedBefore(Instant before, int limit) {
    return ended.stream().takeWhile(row -> row.movedAt().isBefore(before)).limit(limit).toList();
  }

  List<SagaRow> overdue(Instant since, int limit) {
    return waitingByLane.values().stream()
        .flatMap(inLane -> inLane.stream().takeWhile(row -> dueAt(row).isBefore(since)))
        .sorted(BY_DUE)
        .limit(limit)
        .toList();
  }

  /// How many sagas of each kind have not ended.
  NavigableMap<Integer, Long> unfinished() {
    return unfinishedByKind;
  }

  private void link(SagaRow row) {
    switch (row.status()) {
      case RUNNING -> add(runningByNode, owner(row), BY_MOVE, row);
      case WAITING -> {
        add(waitingByLane, row.lane(), BY_DUE, row);
        waiting.add(row);
      }
      case DONE, UNDONE -> ended.add(row);
      case HELD -> {}
    }
    count(row, 1);
  }

  private void unlink(SagaRow row) {
    switch (row.status()) {
      case RUNNING -> remove(runningByNode, owner(row), row);
      case WAITING -> {
        remove(waitingByLane, row.lane(), row);
        waiting.remove(row);
      }
      case DONE, UNDONE -> ended.remove(row);
      case HELD -> {}
    }
    count(row, -1);
  }

  private void count(SagaRow row, long by) {
    if (row.status().isEnd()) return;
    unfinishedByKind.merge(row.kind(), by, (a, b) -> a + b == 0 ? null : a + b);
  }

  private static void add(
      Map<Integer, NavigableSet<SagaRow>> index, int key, Comparator<SagaRow> order, SagaRow row) {
    index.computeIfAbsent(key, _ -> new TreeSet<>(order)).add(row);
  }

  private static void remove(Map<Integer, NavigableSet<SagaRow>> index, int key, SagaRow row) {
    index.computeIfPresent(
        key,
        (_, rows) -> {
          rows.remove(row);
          return rows.isEmpty() ? null : rows;
        });
  }

  private static int owner(SagaRow running) {
    var owner = running.owner();
    if (owner == null) throw new IllegalStateException("nobody runs saga " + running.id());
    return owner;
  }

  private static Instant dueAt(SagaRow waiting) {
    var due = waiting.dueAt();
    if (due == null) throw new IllegalStateException("saga " + waiting.id() + " is never due");
    return due;
  }
}
