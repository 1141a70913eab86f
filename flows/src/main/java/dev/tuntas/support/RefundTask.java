package dev.tuntas.support;

import dev.tuntas.money.Money;
import org.jspecify.annotations.Nullable;

/// A refund that a person asked for, as its saga carries it.
///
/// @param amount what was paid, if the refund is of all that is left; else what to give back
/// @param returned what was given back, once it was
public record RefundTask(String orderId, Money amount, boolean whole, @Nullable Money returned) {

  RefundTask returning(Money money) {
    return new RefundTask(orderId, amount, whole, money);
  }
}
