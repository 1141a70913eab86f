package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Write;
import java.time.Instant;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// One process's way to the shared store, with faults on it; a checker sees what was really
/// written.
final class SimulatedStore extends ForwardingStore {

  private final Boundary boundary;
  private final Checker<?> checker;

  SimulatedStore(ForwardingStore store, Boundary boundary, Checker<?> checker) {
    super(store);
    this.boundary = boundary;
    this.checker = checker;
  }

  @Override
  public BitSet commit(int node, List<Write> batch) {
    return boundary.write(
        () -> {
          var written = super.commit(node, batch);
          checker.committed(node, batch, written);
          return written;
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

  private List<SagaRow> claimed(int node, Supplier<List<SagaRow>> claim) {
    return boundary.find(
        () -> {
          var rows = claim.get();
          checker.claimed(node, rows);
          return rows;
        },
        rows -> !rows.isEmpty());
  }

  @Override
  public List<SagaRow> takeOver(int node, Set<Integer> kinds, int limit) {
    return boundary.find(
        () -> {
          var rows = super.takeOver(node, kinds, limit);
          checker.tookOver(node, rows);
          return rows;
        },
        rows -> !rows.isEmpty());
  }

  @Override
  public int purgeEnded(Instant before, int limit) {
    int purged = super.purgeEnded(before, limit);
    if (purged > 0) checker.purged(before);
    return purged;
  }

  @Override
  public void published(Collection<Long> positions) {
    boundary.write(
        () -> {
          super.published(positions);
          return true;
        });
  }
}
