package dev.tuntas.engine;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/// Those who wait for the end of a saga: told at once when it ends here, and by looking into the
/// store when it ends elsewhere.
final class Awaited implements EngineNode.Ends {

  private static final int LOOK_MAX = 1_000;

  private final SagaStore store;
  private final Map<String, CompletableFuture<Status>> futures = new ConcurrentHashMap<>();

  Awaited(SagaStore store) {
    this.store = store;
  }

  CompletableFuture<Status> of(String id) {
    return futures.computeIfAbsent(id, this::fresh).copy();
  }

  private CompletableFuture<Status> fresh(String id) {
    return new CompletableFuture<>();
  }

  @Override
  public void ended(String id, Status status) {
    var future = futures.remove(id);
    if (future != null) future.completeAsync(() -> status, Thread::startVirtualThread);
  }

  /// Looks for those that ended elsewhere, or before anybody waited.
  void look() {
    if (futures.isEmpty()) return;
    var ids = futures.keySet().stream().limit(LOOK_MAX).toList();
    store.ended(ids).forEach(this::ended);
  }
}
