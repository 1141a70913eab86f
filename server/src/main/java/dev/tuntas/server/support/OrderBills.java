package dev.tuntas.server.support;

import dev.tuntas.money.Money;
import dev.tuntas.orders.OrderReader;
import dev.tuntas.orders.OrderView;
import dev.tuntas.orders.Standing;
import dev.tuntas.store.Session;
import dev.tuntas.support.Bills;
import java.util.Optional;

/// What was paid for an order, as the order itself knows it.
public final class OrderBills implements Bills {

  private final OrderReader orders;

  public OrderBills(OrderReader orders) {
    this.orders = orders;
  }

  @Override
  public Optional<Bill> of(Session session, String orderId) {
    return orders
        .find(orderId)
        .filter(view -> view.paid().amount() > 0)
        .map(view -> new Bill(view.paid(), returned(view)));
  }

  /// What is being refunded counts as given back, unless that waits for a person.
  private static Money returned(OrderView view) {
    boolean refunding =
        view.standing().status().equals(Standing.REFUND_PENDING)
            && !view.standing().needsAttention();
    return refunding ? view.paid() : view.refunded();
  }
}
