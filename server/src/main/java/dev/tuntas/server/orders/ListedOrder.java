package dev.tuntas.server.orders;

import dev.tuntas.orders.OrderBook;
import dev.tuntas.orders.OrderEvent.Reason;
import dev.tuntas.orders.OrderView;
import org.jspecify.annotations.Nullable;

/// A line of a list, as the order itself would tell it.
record ListedOrder(
    OrderBook.Line line, String status, boolean needsAttention, @Nullable Reason reason) {

  /// One that has ended: what was heard last is how it is.
  static ListedOrder ended(OrderBook.Line line, String status) {
    return new ListedOrder(line, status, line.needsAttention(), line.reason());
  }

  /// An open one: where it stands is known to the order alone.
  static ListedOrder open(OrderBook.Line line, OrderView view) {
    var standing = view.standing();
    return new ListedOrder(line, standing.status(), standing.needsAttention(), view.reason());
  }

  String id() {
    return line.id();
  }
}
