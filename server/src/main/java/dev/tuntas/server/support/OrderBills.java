package dev.tuntas.server.support;

import dev.tuntas.money.Money;
import dev.tuntas.orders.OrderReader;
import dev.tuntas.orders.OrderView;
import dev.tuntas.orders.Standing;
import dev.tuntas.orders.UnreadableOrderException;
import dev.tuntas.store.Session;
import dev.tuntas.support.Bills;
import java.sql.SQLException;
import java.util.Optional;

/// What was paid for an order, as the order itself knows it.
public final class OrderBills implements Bills {

  private final OrderReader orders;

  public OrderBills(OrderReader orders) {
    this.orders = orders;
  }

  /// Nothing also of an order that cannot be read: a person has to look at the provider's.
  @Override
  public Optional<Bill> of(Session session, String orderId) throws SQLException {
    return readable(session, orderId)
        .filter(view -> view.paid().amount() > 0)
        .map(view -> new Bill(view.paid(), returned(view)));
  }

  private Optional<OrderView> readable(Session session, String orderId) throws SQLException {
    try {
      return orders.find(session, orderId);
    } catch (UnreadableOrderException _) {
      return Optional.empty();
    }
  }

  /// What is being refunded counts as given back, unless that waits for a person. A ride refunds
  /// nothing itself.
  private static Money returned(OrderView view) {
    if (view.order().trip() != null) return view.refunded();
    boolean refunding =
        view.standing().status().equals(Standing.REFUND_PENDING)
            && !view.standing().needsAttention();
    return refunding ? view.paid() : view.refunded();
  }
}
