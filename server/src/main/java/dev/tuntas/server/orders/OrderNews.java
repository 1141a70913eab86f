package dev.tuntas.server.orders;

import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.HistoryEntry;
import dev.tuntas.engine.Progress;
import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Wakes whoever follows an order when it has moved in this process.
public final class OrderNews implements EngineListener {

  private final Map<String, Set<Watch>> watches = new ConcurrentHashMap<>();

  /// Somebody who follows an order.
  public final class Watch implements AutoCloseable {

    private final String orderId;
    private final Semaphore news = new Semaphore(0);

    private Watch(String orderId) {
      this.orderId = orderId;
    }

    /// Waits for news, or until the time is over.
    public void await(Duration atMost) throws InterruptedException {
      if (news.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) news.drainPermits();
    }

    @Override
    public void close() {
      watches.computeIfPresent(
          orderId,
          (_, all) -> {
            all.remove(this);
            return all.isEmpty() ? null : all;
          });
    }
  }

  public Watch watch(String orderId) {
    var watch = new Watch(orderId);
    watches.compute(
        orderId,
        (_, all) -> {
          var more = all == null ? ConcurrentHashMap.<Watch>newKeySet() : all;
          more.add(watch);
          return more;
        });
    return watch;
  }

  /// How many are followed.
  public int followed() {
    return watches.size();
  }

  @Override
  public void moved(
      SagaDefinition<?> saga, String id, Progress progress, List<HistoryEntry> history) {
    var all = watches.get(id);
    if (all != null) for (var watch : all) watch.news.release();
  }
}
