package dev.tuntas.inventory;

import dev.tuntas.money.Money;
import dev.tuntas.saga.Outcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Holds goods, takes them, and gives them back; each idempotent by its key. In process, over HTTP,
/// or simulated. A `Failed` answer is certain; what throws, or is unclear, may have happened.
public interface Inventory {

  /// Goods for an order. `total` is what was frozen when the order was accepted; without it,
  /// today's prices count.
  record Request(String orderId, Goods goods, @Nullable Money total) {}

  /// Goods that are held. Without `expiresAt` they are kept until they are confirmed or released.
  record Reservation(String reservationId, @Nullable Instant expiresAt, Money total) {}

  /// What became of an order's goods: `confirmed`, `committed`, `released`, or, when it had
  /// happened before under another key, `already_released` and the like.
  record Movement(String orderId, String result) {}

  /// Holds all of it for a while, or nothing. Too little is declined as `out_of_stock`; after a
  /// release, as `released`.
  Outcome<Reservation> reserve(Request request, String key);

  /// The order is about to be paid: what it holds does not expire any more. If that is gone it is
  /// held again, or declined as `out_of_stock`.
  Outcome<Reservation> keep(Request request, String key);

  /// Takes what the order holds; what has expired is taken anew, or declined as `out_of_stock`.
  Outcome<Movement> confirm(Request request, String key);

  /// Takes goods in one step, from what the order holds or, if it holds nothing, from what is
  /// available.
  Outcome<Movement> commit(Request request, String key);

  /// Gives back what the order holds or has taken, and refuses it anything from then on.
  Outcome<Movement> release(String orderId, String key);
}
