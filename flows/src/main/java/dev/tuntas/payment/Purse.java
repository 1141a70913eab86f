package dev.tuntas.payment;

import dev.tuntas.money.Money;
import java.sql.ResultSet;
import java.sql.SQLException;

/// The money of one order, as far as it is known.
///
/// @param pending what refunds under way may yet give back
/// @param closed whether the order was refunded as a whole: nothing is charged any more
record Purse(
    String orderId,
    String currency,
    long price,
    long captured,
    long pending,
    long refunded,
    boolean closed) {

  static final String COLUMNS = "order_id, currency, price, captured, pending, refunded, closed";

  static Purse fresh(String orderId, Money price) {
    return new Purse(orderId, price.currency(), price.amount(), 0, 0, 0, false);
  }

  static Purse read(ResultSet row) throws SQLException {
    return new Purse(
        row.getString(1),
        row.getString(2),
        row.getLong(3),
        row.getLong(4),
        row.getLong(5),
        row.getLong(6),
        row.getBoolean(7));
  }

  /// What may still be promised to a refund.
  Money left() {
    return new Money(captured - refunded - pending, currency);
  }
}
