package dev.tuntas.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Those who wait for the end of a saga: told at once when it ends here, and by looking into the
/// store when it ends elsewhere, or had ended before.
final class Awaited implements EngineNode.Ends {

  private static final int LOOK_MAX = 1_000;

  private final SagaStore store;
  private final Map<String, Map<Long, CompletableFuture<Status>>> waiting =
      new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();
  private final Queue<String> toLookFor = new ArrayDeque<>();

  Awaited(SagaStore store) {
    this.store = store;
  }

  /// Completed at the end. Whoever no longer waits cancels it.
  CompletableFuture<Status> of(String id) {
    var future = new CompletableFuture<Status>();
    long number = numbers.incrementAndGet();
    waiting.compute(
        id,
        (_, known) -> {
          var all =
              known == null ? new ConcurrentHashMap<Long, CompletableFuture<Status>>() : known;
          all.put(number, future);
          return all;
        });
    future.whenComplete((_, _) -> forget(id, number));
    return future;
  }

  private void forget(String id, long number) {
    waiting.computeIfPresent(
        id,
        (_, all) -> {
          all.remove(number);
          return all.isEmpty() ? null : all;
        });
  }

  @Override
  public void ended(String id, Status status) {
    var all = waiting.remove(id);
    if (all == null) return;
    for (var future : all.values()) future.completeAsync(() -> status, Thread::startVirtualThread);
  }

  /// Looks for those that ended elsewhere, a bounded number at a time, everybody in turn.
  void look() {
    if (waiting.isEmpty()) return;
    if (toLookFor.isEmpty()) toLookFor.addAll(waiting.keySet());
    var ids = new ArrayList<String>();
    while (ids.size() < LOOK_MAX && !toLookFor.isEmpty()) ids.add(toLookFor.remove());
    store.ended(ids).forEach(this::ended);
  }

  /// Nobody will tell any more.
  void close() {
    for (var id : List.copyOf(waiting.keySet())) {
      var all = waiting.remove(id);
      if (all == null) continue;
      var closed = new IllegalStateException("the engine was closed before saga " + id + " ended");
      for (var future : all.values()) future.completeExceptionally(closed);
    }
  }
}
