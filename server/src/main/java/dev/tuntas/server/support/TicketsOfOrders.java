package dev.tuntas.server.support;

import dev.tuntas.money.Money;
import dev.tuntas.server.orders.OrderJson;
import dev.tuntas.store.Tables;
import dev.tuntas.support.Refund;
import dev.tuntas.support.RefundBook;
import dev.tuntas.support.Tickets;
import java.util.Optional;

/// What the support desk has to do with an order, for those who look at the order.
public final class TicketsOfOrders implements OrderJson.Desk {

  private final Tables tables;
  private final Tickets tickets = new Tickets();
  private final RefundBook refunds = new RefundBook();

  public TicketsOfOrders(Tables tables) {
    this.tables = tables;
  }

  @Override
  public Optional<String> ticketOf(String orderId) {
    return tables.read("look for a ticket", session -> tickets.openOf(session, orderId));
  }

  /// A refund of everything under the order's own key is also the order's own.
  @Override
  public Money refundedByHand(String orderId, String currency) {
    var all = tables.read("look for refunds", session -> refunds.of(session, orderId));
    long sum = 0;
    for (Refund refund : all) {
      var returned = refund.returned();
      if (returned != null && returned.currency().equals(currency)) sum += returned.amount();
    }
    return new Money(Math.min(sum, Money.AMOUNT_MAX), currency);
  }
}
