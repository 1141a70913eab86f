package dev.tuntas.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// Those who wait for the end of a saga: told at once when it ends here, and by looking into the
/// store when it ends elsewhere, or had ended before.
final class Awaited implements EngineNode.Ends {

  private static final int LOOK_MAX = 1_000;

  private final SagaStore store;
  private final Map<String, List<CompletableFuture<Status>>> futures = new ConcurrentHashMap<>();
  private final Queue<String> toLookFor = new ArrayDeque<>();

  Awaited(SagaStore store) {
    this.store = store;
  }

  /// Completed at the end. Whoever no longer waits cancels it.
  CompletableFuture<Status> of(String id) {
    var future = new CompletableFuture<Status>();
    futures.compute(
        id,
        (_, known) -> {
          List<CompletableFuture<Status>> all =
              known == null ? new CopyOnWriteArrayList<>() : known;
          all.add(future);
          return all;
        });
    future.whenComplete((_, _) -> forget(id, future));
    return future;
  }

  private void forget(String id, CompletableFuture<Status> future) {
    futures.computeIfPresent(
        id,
        (_, all) -> {
          all.removeIf(known -> known == future);
          return all.isEmpty() ? null : all;
        });
  }

  @Override
  public void ended(String id, Status status) {
    var all = futures.remove(id);
    if (all == null) return;
    for (var future : all) future.completeAsync(() -> status, Thread::startVirtualThread);
  }

  /// Looks for those that ended elsewhere, a bounded number at a time, everybody in turn.
  void look() {
    if (futures.isEmpty()) return;
    if (toLookFor.isEmpty()) toLookFor.addAll(futures.keySet());
    var ids = new ArrayList<String>();
    while (ids.size() < LOOK_MAX && !toLookFor.isEmpty()) ids.add(toLookFor.remove());
    store.ended(ids).forEach(this::ended);
  }
}
