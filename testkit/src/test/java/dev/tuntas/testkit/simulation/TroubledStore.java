package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.InboxItem;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Signal;
import dev.tuntas.testkit.MemoryStore;
import dev.tuntas.testkit.simulation.BadTimes.Task;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// One engine's way to the store, with its bad times; a checker sees what was really written.
final class TroubledStore extends ForwardingStore {

  private final MemoryStore truth;
  private final Checker<?> checker;
  private final BadTimes badTimes;
  private final int writers;

  TroubledStore(MemoryStore truth, Checker<?> checker, BadTimes badTimes, int writers) {
    super(truth);
    this.truth = truth;
    this.checker = checker;
    this.badTimes = badTimes;
    this.writers = writers;
  }

  private <T> T any(Supplier<T> work) {
    return badTimes.on(Task.OTHER, work);
  }

  @Override
  public int writers() {
    return writers;
  }

  @Override
  public Map<Shape, Integer> register(Collection<Shape> shapes) {
    return any(() -> super.register(shapes));
  }

  @Override
  public int join(String name) {
    return any(() -> super.join(name));
  }

  @Override
  public Reading beat(int node) {
    return badTimes.on(Task.BEAT, () -> super.beat(node));
  }

  @Override
  public boolean declareDead(int node, long beatSeen) {
    return badTimes.on(Task.BEAT, () -> super.declareDead(node, beatSeen));
  }

  @Override
  public BitSet commit(int node, List<Write> batch) {
    return badTimes.on(
        Task.COMMIT,
        () -> {
          synchronized (truth) {
            var written = super.commit(node, batch);
            checker.committed(node, batch, written);
            return written;
          }
        });
  }

  @Override
  public BitSet wrote(int node, List<Write> batch) {
    return badTimes.on(Task.COMMIT, () -> super.wrote(node, batch));
  }

  private List<SagaRow> claimed(int node, Supplier<List<SagaRow>> claim) {
    return any(
        () -> {
          synchronized (truth) {
            var rows = claim.get();
            checker.claimed(node, rows);
            return rows;
          }
        });
  }

  @Override
  public List<SagaRow> claimDue(
      int node, int lane, Set<Integer> kinds, Instant now, int candidates, int limit) {
    return claimed(node, () -> super.claimDue(node, lane, kinds, now, candidates, limit));
  }

  @Override
  public List<SagaRow> claimLate(int node, Set<Integer> kinds, Instant now, int limit) {
    return claimed(node, () -> super.claimLate(node, kinds, now, limit));
  }

  @Override
  public List<SagaRow> claimSignalled(int node, Set<Integer> kinds, int limit) {
    return claimed(node, () -> super.claimSignalled(node, kinds, limit));
  }

  @Override
  public List<SagaRow> claim(
      int node, Collection<String> ids, Set<Integer> lanes, Set<Integer> kinds, Instant now) {
    return claimed(node, () -> super.claim(node, ids, lanes, kinds, now));
  }

  @Override
  public List<SagaRow> takeOver(int node, Set<Integer> kinds, int limit) {
    return any(
        () -> {
          synchronized (truth) {
            var rows = super.takeOver(node, kinds, limit);
            checker.tookOver(node, rows);
            return rows;
          }
        });
  }

  @Override
  public List<String> ownedBy(int node, Instant from, Instant to, int limit) {
    return any(() -> super.ownedBy(node, from, to, limit));
  }

  @Override
  public Put put(String sagaId, Signal signal, Instant at) {
    return any(() -> super.put(sagaId, signal, at));
  }

  @Override
  public List<InboxItem> pending(int node, int limit) {
    return any(() -> super.pending(node, limit));
  }

  @Override
  public Optional<SagaRow> find(String id) {
    return any(() -> super.find(id));
  }

  @Override
  public Map<String, Status> ended(Collection<String> ids) {
    return any(() -> super.ended(ids));
  }

  @Override
  public List<SagaRow> overdue(Instant since, int limit) {
    return any(() -> super.overdue(since, limit));
  }

  @Override
  public List<Entry> next(Instant now, int limit) {
    return any(() -> super.next(now, limit));
  }

  @Override
  public void published(Collection<Long> positions) {
    boolean _ =
        any(
            () -> {
              super.published(positions);
              return true;
            });
  }
}
