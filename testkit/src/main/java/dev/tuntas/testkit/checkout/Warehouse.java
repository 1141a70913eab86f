package dev.tuntas.testkit.checkout;

import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A warehouse with a ledger of its own. It takes stock once per key, and never more than it has.
final class Warehouse {

  private final Map<String, Integer> taken = new HashMap<>();
  private int left;

  Warehouse(int stock) {
    this.left = stock;
  }

  Outcome<Purchase> commit(Purchase order, Call call) {
    if (taken.containsKey(call.key())) return Outcome.done(order);
    if (left < order.quantity()) return Outcome.declined("OUT_OF_STOCK", "nothing left");
    left -= order.quantity();
    taken.put(call.key(), order.quantity());
    return Outcome.done(order);
  }

  boolean took(String key) {
    return taken.containsKey(key);
  }

  @Nullable String wrongNow() {
    return left < 0 ? "stock is below zero: " + left : null;
  }
}
