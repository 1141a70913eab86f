package dev.tuntas.bench.chaos;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Waits until every order that was acknowledged has ended, or is on a person's desk.
public final class Settling {

  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);
  private static final int AT_ONCE = 16;

  private final Door door;
  private final Map<String, Told> seen = new ConcurrentHashMap<>();
  private final AtomicInteger open = new AtomicInteger();

  public Settling(Door door) {
    this.door = door;
  }

  /// What was seen last of each order, by its id.
  public Map<String, Told> await(List<Story> stories, Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    var waiting = new HashMap<String, Story>();
    for (var story : stories) story.orderId().ifPresent(id -> waiting.put(id, story));
    while (true) {
      look(waiting);
      waiting.keySet().removeIf(id -> isSettled(seen.get(id)));
      open.set(waiting.size());
      if (waiting.isEmpty() || System.nanoTime() > end) return Map.copyOf(seen);
      Thread.sleep(LOOK_AGAIN);
    }
  }

  private static boolean isSettled(@Nullable Told told) {
    return told != null && (told.isSettled() || told.status() == 404);
  }

  private void look(Map<String, Story> orders) throws InterruptedException {
    var permits = new Semaphore(AT_ONCE);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var order : orders.entrySet()) {
        permits.acquire();
        threads.submit(
            () -> {
              try {
                door.look(order.getValue(), order.getKey())
                    .filter(told -> !told.asksToComeAgain())
                    .ifPresent(told -> seen.put(order.getKey(), told));
              } finally {
                permits.release();
              }
              return null;
            });
      }
    }
  }

  /// How many are not settled yet.
  int open() {
    return open.get();
  }
}
