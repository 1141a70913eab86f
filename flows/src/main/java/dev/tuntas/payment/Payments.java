package dev.tuntas.payment;

import dev.tuntas.money.Money;
import dev.tuntas.saga.Outcome;

/// Takes money and gives it back; each idempotent by its key. Our own service, a remote one, or the
/// bank behind it: all have this form. A `Failed` answer is certain; what throws, or is unclear,
/// may have happened.
public interface Payments {

  /// The method of a charge that somebody else has made: it is only entered, so that it can be
  /// given back.
  String OUTSIDE = "outside";

  record Charge(String orderId, String paymentMethod, Money amount) {}

  /// A whole refund gives back all that is left of the charge and refuses a charge that comes
  /// later; `amount` is then what was frozen for the order. A partial one gives back `amount`.
  record Refund(String orderId, Money amount, boolean whole) {}

  /// @param amount what was charged or refunded; nothing, if there was nothing to refund
  /// @param status `charged` or `refunded`
  record Receipt(String transactionId, Money amount, String status) {}

  /// Declined as `payment_declined`, or as `refunded` when the order was refunded before it was
  /// charged.
  Outcome<Receipt> charge(Charge charge, String key);

  /// Declined as `refund_exceeds_captured` or, if partial, `nothing_to_refund`.
  Outcome<Receipt> refund(Refund refund, String key);
}
