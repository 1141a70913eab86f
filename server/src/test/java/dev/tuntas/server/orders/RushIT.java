package dev.tuntas.server.orders;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Ten thousand want one of a hundred.
class RushIT {

  private static final int BUYERS = 10_000;
  private static final int AT_ONCE = 64;
  private static final int UNITS = 100;

  private final Orders orders = Orders.ofClient();
  private final Map<Integer, AtomicInteger> answers = new ConcurrentHashMap<>();
  private final Set<String> ids = ConcurrentHashMap.newKeySet();

  @Test
  void exactly_a_hundred_get_one_and_nobody_else_pays() throws Exception {
    var turns = new Semaphore(AT_ONCE);
    var purchases = new ArrayList<Future<?>>();
    try (var buyers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < BUYERS; i++) {
        turns.acquire();
        purchases.add(
            buyers.submit(
                () -> {
                  try {
                    buy();
                  } finally {
                    turns.release();
                  }
                }));
      }
    }
    for (var purchase : purchases) purchase.get();
    var item = Client.admin().get("/api/v1/inventory/items/SKU-RARE").json();
    assertThat(answers.get(201).get()).isEqualTo(UNITS);
    assertThat(answers.get(409).get()).isEqualTo(BUYERS - UNITS);
    assertThat(item.path("available").asLong()).isZero();
    assertThat(item.path("committed").asLong()).isEqualTo(UNITS);
    assertThat(keptByTheBank()).isEqualTo(UNITS * 1_000_000L);
  }

  /// Whoever is turned away because there is too much to do tries again with the same key.
  private void buy() {
    var key = Orders.newKey();
    var body = Orders.checkout("pm_ok", "SKU-RARE", 1);
    var answer = orders.place(body, key, "Prefer", "wait=10");
    while (answer.status() == 503 || answer.status() == 202) {
      answer = orders.place(body, key, "Prefer", "wait=10");
    }
    ids.add(Orders.id(answer));
    answers.computeIfAbsent(answer.status(), _ -> new AtomicInteger()).incrementAndGet();
  }

  private long keptByTheBank() {
    long sum = 0;
    for (var entry : Client.admin().get("/sim/bank/ledger").json().path("entries")) {
      if (!ids.contains(entry.path("order_id").asString())) continue;
      long amount = entry.path("amount").asLong();
      sum += entry.path("operation").asString().equals("charge") ? amount : -amount;
    }
    return sum;
  }
}
