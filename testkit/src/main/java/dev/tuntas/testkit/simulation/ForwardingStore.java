package dev.tuntas.testkit.simulation;

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
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A store that passes everything on to another one: for those that change a little of it.
public class ForwardingStore implements SagaStore, Outbox {

  private final SagaStore sagas;
  private final Outbox outbox;

  public <S extends SagaStore & Outbox> ForwardingStore(S store) {
    this.sagas = store;
    this.outbox = store;
  }

  @Override
  public int writers() {
    return sagas.writers();
  }

  @Override
  public Map<Shape, Integer> register(Collection<Shape> shapes) {
    return sagas.register(shapes);
  }

  @Override
  public Map<String, Integer> lanes(Collection<String> names) {
    return sagas.lanes(names);
  }

  @Override
  public List<Unknown> unknown(Set<Integer> kinds) {
    return sagas.unknown(kinds);
  }

  @Override
  public int join(String name) {
    return sagas.join(name);
  }

  @Override
  public Reading beat(int node) {
    return sagas.beat(node);
  }

  @Override
  public void tell(Offset offset) {
    sagas.tell(offset);
  }

  @Override
  public Optional<Offset> offset() {
    return sagas.offset();
  }

  @Override
  public Optional<Instant> lastMove() {
    return sagas.lastMove();
  }

  @Override
  public boolean declareDead(int node, long beatSeen) {
    return sagas.declareDead(node, beatSeen);
  }

  @Override
  public void leave(int node) {
    sagas.leave(node);
  }

  @Override
  public BitSet commit(int node, List<Write> batch) {
    return sagas.commit(node, batch);
  }

  @Override
  public BitSet wrote(int node, List<Write> batch) {
    return sagas.wrote(node, batch);
  }

  @Override
  public List<SagaRow> claimDue(
      int node, int lane, Set<Integer> kinds, Instant now, int candidates, int limit) {
    return sagas.claimDue(node, lane, kinds, now, candidates, limit);
  }

  @Override
  public List<SagaRow> claimLate(int node, Set<Integer> kinds, Instant now, int limit) {
    return sagas.claimLate(node, kinds, now, limit);
  }

  @Override
  public List<SagaRow> claimSignalled(int node, Set<Integer> kinds, int limit) {
    return sagas.claimSignalled(node, kinds, limit);
  }

  @Override
  public List<SagaRow> claim(
      int node, Collection<String> ids, Set<Integer> lanes, Set<Integer> kinds, Instant now) {
    return sagas.claim(node, ids, lanes, kinds, now);
  }

  @Override
  public List<SagaRow> takeOver(int node, Set<Integer> kinds, int limit) {
    return sagas.takeOver(node, kinds, limit);
  }

  @Override
  public List<String> ownedBy(int node, Instant from, Instant to, int limit) {
    return sagas.ownedBy(node, from, to, limit);
  }

  @Override
  public boolean insert(Connection callers, int node, Write.Insert saga) {
    return sagas.insert(callers, node, saga);
  }

  @Override
  public boolean insertWith(int node, Write.Insert saga, Work work) throws Exception {
    return sagas.insertWith(node, saga, work);
  }

  @Override
  public Put put(String sagaId, Signal signal, Instant at) {
    return sagas.put(sagaId, signal, at);
  }

  @Override
  public List<InboxItem> pending(int node, int limit) {
    return sagas.pending(node, limit);
  }

  @Override
  public Optional<String> verdict(String source, String externalId) {
    return sagas.verdict(source, externalId);
  }

  @Override
  public Optional<SagaRow> find(String id) {
    return sagas.find(id);
  }

  @Override
  public List<HistoryLine> history(String id) {
    return sagas.history(id);
  }

  @Override
  public Map<String, Status> ended(Collection<String> ids) {
    return sagas.ended(ids);
  }

  @Override
  public List<SagaRow> overdue(Instant since, int limit) {
    return sagas.overdue(since, limit);
  }

  @Override
  public int purgeEnded(Instant before, int limit) {
    return sagas.purgeEnded(before, limit);
  }

  @Override
  public int purgeInbox(Instant before, int limit) {
    return sagas.purgeInbox(before, limit);
  }

  @Override
  public void close() {}

  @Override
  public List<Entry> next(Instant now, int limit) {
    return outbox.next(now, limit);
  }

  @Override
  public void published(Collection<Long> positions) {
    outbox.published(positions);
  }

  @Override
  public void failed(long pos, String error, Instant retryAt) {
    outbox.failed(pos, error, retryAt);
  }

  @Override
  public void postpone(long pos, String error, Instant retryAt) {
    outbox.postpone(pos, error, retryAt);
  }

  @Override
  public void bury(long pos, String error) {
    outbox.bury(pos, error);
  }

  @Override
  public List<DeadLetter> deadLetters(int limit) {
    return outbox.deadLetters(limit);
  }

  @Override
  public boolean revive(long pos) {
    return outbox.revive(pos);
  }

  @Override
  public boolean discard(long pos) {
    return outbox.discard(pos);
  }

  @Override
  public Lag lag() {
    return outbox.lag();
  }
}
