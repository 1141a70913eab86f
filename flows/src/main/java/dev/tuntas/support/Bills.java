package dev.tuntas.support;

import dev.tuntas.money.Money;
import dev.tuntas.store.Session;
import java.sql.SQLException;
import java.util.Optional;

/// What was paid for orders.
public interface Bills {

  /// @param captured what was certainly taken
  /// @param returned what the order's own saga has given back, or is about to
  record Bill(Money captured, Money returned) {}

  /// Empty when nothing was taken, or nobody knows.
  Optional<Bill> of(Session session, String orderId) throws SQLException;
}
