package dev.tuntas.testkit;

import dev.tuntas.engine.HistoryLine;
import dev.tuntas.engine.InboxItem;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaStore;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Signal;
import java.sql.Connection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A store that keeps the same promises as a database, except to survive its process. What it
/// answers depends only on what was written and on the clock it is given.
///
/// A write that a database's constraints would refuse is a bug of the engine and throws an
/// [IllegalStateException] or [IllegalArgumentException].
public final class MemoryStore implements SagaStore, Outbox {

  private final InstantSource clock;
  private @Nullable Offset offset;
  private final Registry registry = new Registry();
  private final NodeTable nodes = new NodeTable();
  private final SagaTable sagas = new SagaTable();
  private final HistoryTable history = new HistoryTable();
  private final InboxTable inbox = new InboxTable();
  private final OutboxTable outbox = new OutboxTable();
  private final Writer writer = new Writer(sagas, history, inbox, outbox);

  public MemoryStore(InstantSource clock) {
    this.clock = clock;
  }

  // For checkers

  /// All sagas, in the order of their insertion. It shows every later write too, so nobody may
  /// write while it is iterated.
  public synchronized Collection<SagaRow> sagas() {
    return sagas.all();
  }

  /// What was said to any saga and not yet applied, oldest first.
  public synchronized List<InboxItem> unapplied() {
    return inbox.unapplied();
  }

  public synchronized @Nullable SagaRow row(String id) {
    return sagas.get(id);
  }

  public synchronized boolean isDead(int node) {
    return nodes.isDead(node);
  }

  /// Gives a saga to a node, whoever has it: for stores that are wrong on purpose.
  synchronized List<SagaRow> seize(int node, List<SagaRow> rows) {
    return writer.takeOver(node, rows);
  }

  /// Loses a saga: for stores that are wrong on purpose.
  synchronized void lose(SagaRow row) {
    writer.delete(row);
  }

  // Definitions and lanes

  @Override
  public synchronized Map<Shape, Integer> register(Collection<Shape> shapes) {
    return registry.register(shapes);
  }

  @Override
  public synchronized Map<String, Integer> lanes(Collection<String> names) {
    return registry.lanes(names);
  }

  @Override
  public synchronized List<Unknown> unknown(Set<Integer> kinds) {
    return registry.unknown(kinds, sagas.unfinished());
  }

  // Life and death

  @Override
  public synchronized int join(String name) {
    return nodes.join();
  }

  @Override
  public synchronized Reading beat(int node) {
    boolean alive = nodes.beat(node);
    return new Reading(alive, Rows.millis(clock.instant()), nodes.peers());
  }

  @Override
  public synchronized void tell(Offset told) {
    offset = told;
  }

  @Override
  public synchronized Optional<Offset> offset() {
    return Optional.ofNullable(offset);
  }

  @Override
  public synchronized Optional<Instant> lastMove() {
    return sagas.all().stream()
        .filter(row -> row.status() != Status.HELD)
        .map(SagaRow::movedAt)
        .max(Comparator.naturalOrder());
  }

  @Override
  public synchronized boolean declareDead(int node, long beatSeen) {
    return nodes.declareDead(node, beatSeen);
  }

  @Override
  public synchronized void leave(int node) {
    nodes.leave(node);
  }

  // The hot path

  @Override
  public int writers() {
    return 1;
  }

  @Override
  public synchronized BitSet commit(int node, List<Write> batch) {
    return writer.commit(node, batch);
  }

  @Override
  public synchronized BitSet wrote(int node, List<Write> batch) {
    var wrote = new BitSet(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      var line = history.line(batch.get(i).id(), batch.get(i).makesVersion());
      wrote.set(i, line != null && isOf(batch.get(i), node, line));
    }
    return wrote;
  }

  private static boolean isOf(Write entry, int node, HistoryLine line) {
    return line.node() == node && line.at().equals(entry.at()) && line.text().equals(entry.what());
  }

  @Override
  public synchronized List<SagaRow> claimDue(
      int node, int lane, Set<Integer> kinds, Instant now, int candidates, int limit) {
    if (nodes.isDead(node)) return List.of();
    return writer.claim(node, sagas.due(lane, kinds, now, candidates, limit));
  }

  @Override
  public synchronized List<SagaRow> claimLate(
      int node, Set<Integer> kinds, Instant now, int limit) {
    if (nodes.isDead(node)) return List.of();
    return writer.claim(node, sagas.late(kinds, now, limit));
  }

  @Override
  public synchronized List<SagaRow> claimSignalled(int node, Set<Integer> kinds, int limit) {
    var signalled = new ArrayList<SagaRow>();
    for (var id : inbox.wakeUps()) {
      if (signalled.size() >= limit) break;
      var row = sagas.get(id);
      if (row != null && kinds.contains(row.kind())) signalled.add(row);
    }
    return nodes.isDead(node) ? List.of() : writer.claim(node, signalled);
  }

  @Override
  public synchronized List<SagaRow> claim(
      int node, Collection<String> ids, Set<Integer> lanes, Set<Integer> kinds, Instant now) {
    if (nodes.isDead(node)) return List.of();
    return writer.claim(node, sagas.named(ids, lanes, kinds, now));
  }

  @Override
  public synchronized List<SagaRow> takeOver(int node, Set<Integer> kinds, int limit) {
    if (nodes.isDead(node)) return List.of();
    return writer.takeOver(node, sagas.ownedByAny(nodes::isDead, kinds, limit));
  }

  @Override
  public synchronized List<String> ownedBy(int node, Instant from, Instant to, int limit) {
    return sagas.ownedBy(node, from, to, limit).stream().map(SagaRow::id).toList();
  }

  // Joining the caller's transaction

  /// Refuses: there is no transaction of a connection to join.
  @Override
  public boolean insert(Connection callers, int node, Write.Insert saga) {
    throw RefusedConnection.refusal();
  }

  /// Runs the work first and inserts if it did not throw. The work gets a connection that refuses
  /// everything. It is not run for a known id, because nothing of it could be rolled back.
  @Override
  public synchronized boolean insertWith(int node, Write.Insert saga, Work work) throws Exception {
    if (sagas.get(saga.id()) != null) return false;
    work.run(RefusedConnection.CONNECTION);
    return writer.commit(node, List.of(saga)).get(0);
  }

  // The inbox

  @Override
  public synchronized Put put(String sagaId, Signal signal, Instant at) {
    return inbox.put(sagaId, sagas.get(sagaId), signal, Rows.millis(at));
  }

  @Override
  public synchronized List<InboxItem> pending(int node, int limit) {
    return inbox.pending(node, limit);
  }

  @Override
  public synchronized Optional<String> verdict(String source, String externalId) {
    return inbox.verdict(source, externalId);
  }

  // Looking

  @Override
  public synchronized Optional<SagaRow> find(String id) {
    return Optional.ofNullable(sagas.get(id));
  }

  @Override
  public synchronized List<HistoryLine> history(String id) {
    return history.of(id);
  }

  @Override
  public synchronized Map<String, Status> ended(Collection<String> ids) {
    var ended = new LinkedHashMap<String, Status>();
    for (var id : ids) {
      var row = sagas.get(id);
      if (row != null && row.status().isEnd()) ended.put(id, row.status());
    }
    return ended;
  }

  @Override
  public synchronized List<SagaRow> overdue(Instant since, int limit) {
    return sagas.overdue(since, limit);
  }

  // Retention

  @Override
  public synchronized int purgeEnded(Instant before, int limit) {
    var old = sagas.endedBefore(before, limit);
    old.forEach(writer::delete);
    return old.size();
  }

  @Override
  public synchronized int purgeInbox(Instant before, int limit) {
    return inbox.purge(before, limit);
  }

  @Override
  public void close() {}

  // The outbox

  @Override
  public synchronized List<Entry> next(Instant now, int limit) {
    return outbox.next(now, limit);
  }

  @Override
  public synchronized void published(Collection<Long> positions) {
    outbox.published(positions);
  }

  @Override
  public synchronized void failed(long pos, String error, Instant retryAt) {
    outbox.failed(pos, error, retryAt);
  }

  @Override
  public synchronized void postpone(long pos, String error, Instant retryAt) {
    outbox.postpone(pos, error, retryAt);
  }

  @Override
  public synchronized void bury(long pos, String error) {
    outbox.bury(pos, error);
  }

  @Override
  public synchronized List<DeadLetter> deadLetters(int limit) {
    return outbox.deadLetters(limit);
  }

  @Override
  public synchronized boolean revive(long pos) {
    return outbox.revive(pos);
  }

  @Override
  public synchronized boolean discard(long pos) {
    return outbox.discard(pos);
  }

  @Override
  public synchronized Lag lag() {
    return outbox.lag();
  }
}
