package dev.tuntas.testkit.simulation;

import static dev.tuntas.testkit.simulation.StoreTrouble.Work.READ;
import static dev.tuntas.testkit.simulation.StoreTrouble.Work.WRITE;

import dev.tuntas.engine.InboxItem;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Write;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// One process's way to the shared store, with faults on it; a checker sees what was really
/// written.
final class SimulatedStore extends ForwardingStore {

  private final SimulatedNode process;
  private final StoreTrouble trouble;
  private final Checker<?> checker;

  SimulatedStore(
      ForwardingStore store, SimulatedNode process, StoreTrouble trouble, Checker<?> checker) {
    super(store);
    this.process = process;
    this.trouble = trouble;
    this.checker = checker;
  }

  private <T> T read(Supplier<T> work) {
    return trouble.on(process, READ, work);
  }

  private <T> T write(Supplier<T> work) {
    return trouble.on(process, WRITE, work);
  }

  // Definitions, life and death

  @Override
  public Map<Shape, Integer> register(Collection<Shape> shapes) {
    return write(() -> super.register(shapes));
  }

  @Override
  public Map<String, Integer> lanes(Collection<String> names) {
    return write(() -> super.lanes(names));
  }

  @Override
  public int join(String name) {
    return write(() -> super.join(name));
  }

  @Override
  public Reading beat(int node) {
    return write(
        () -> {
          var reading = super.beat(node);
          if (reading.alive()) process.hasBeaten();
          return reading;
        });
  }

  @Override
  public boolean declareDead(int node, long beatSeen) {
    return write(() -> super.declareDead(node, beatSeen));
  }

  // Sagas

  @Override
  public BitSet commit(int node, List<Write> batch) {
    return trouble.on(
        process,
        WRITE,
        batch,
        () ->
            process
                .boundary()
                .write(
                    () -> {
                      var written = super.commit(node, batch);
                      checker.committed(node, batch, written);
                      return written;
                    }));
  }

  @Override
  public BitSet wrote(int node, List<Write> batch) {
    return read(() -> super.wrote(node, batch));
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

  private List<SagaRow> claimed(int node, Supplier<List<SagaRow>> claim) {
    return find(
        () -> {
          var rows = claim.get();
          checker.claimed(node, rows);
          return rows;
        },
        rows -> !rows.isEmpty());
  }

  private <T> T find(Supplier<T> work, Predicate<T> foundSomething) {
    return write(() -> process.boundary().find(work, foundSomething));
  }

  @Override
  public List<SagaRow> takeOver(int node, Set<Integer> kinds, int limit) {
    return find(
        () -> {
          var rows = super.takeOver(node, kinds, limit);
          checker.tookOver(node, rows);
          return rows;
        },
        rows -> !rows.isEmpty());
  }

  @Override
  public List<String> ownedBy(int node, Instant from, Instant to, int limit) {
    return read(() -> super.ownedBy(node, from, to, limit));
  }

  @Override
  public List<InboxItem> pending(int node, int limit) {
    return read(() -> super.pending(node, limit));
  }

  @Override
  public List<SagaRow> overdue(Instant since, int limit) {
    return read(() -> super.overdue(since, limit));
  }

  @Override
  public int purgeEnded(Instant before, int limit) {
    return write(
        () -> {
          int purged = super.purgeEnded(before, limit);
          if (purged > 0) checker.purged(before);
          return purged;
        });
  }

  // Notices

  @Override
  public List<Entry> next(Instant now, int limit) {
    return read(() -> super.next(now, limit));
  }

  @Override
  public void published(Collection<Long> positions) {
    write(
        () ->
            process
                .boundary()
                .write(
                    () -> {
                      super.published(positions);
                      return true;
                    }));
  }

  @Override
  public void failed(long pos, String error, Instant retryAt) {
    write(
        () -> {
          super.failed(pos, error, retryAt);
          return true;
        });
  }

  @Override
  public void postpone(long pos, String error, Instant retryAt) {
    write(
        () -> {
          super.postpone(pos, error, retryAt);
          return true;
        });
  }
}
