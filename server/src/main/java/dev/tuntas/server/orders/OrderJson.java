package dev.tuntas.server.orders;

import dev.tuntas.engine.StepView;
import dev.tuntas.money.Money;
import dev.tuntas.orders.Order;
import dev.tuntas.orders.OrderView;
import dev.tuntas.orders.Standing;
import dev.tuntas.server.access.Caller;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// An order as the API shows it.
public final class OrderJson {

  /// What support has to do with an order.
  public interface Desk {
    /// The open ticket of an order, if there is one.
    java.util.Optional<String> ticketOf(String orderId);

    /// What people gave back, beyond what the order itself did.
    Money refundedByHand(String orderId, String currency);
  }

  private final Links links;
  private final Desk desk;

  public OrderJson(Links links, Desk desk) {
    this.links = links;
    this.desk = desk;
  }

  /// The answer to who placed an order that was accepted: the same for every replay.
  Map<String, Object> accepted(String orderId, Order order) {
    var json = new LinkedHashMap<String, Object>();
    json.put("order_id", orderId);
    json.put("kind", order.kind().apiName());
    json.put("status", Standing.first(order.kind()));
    json.put("message", processing(order));
    json.put("links", links.of(orderId, order.origin().pageToken()));
    return json;
  }

  private static String processing(Order order) {
    var what =
        switch (order.kind()) {
          case CHECKOUT -> "Order";
          case BOOKING -> "Booking";
          case RIDE -> "Ride";
        };
    return what + " is being processed. Check status shortly.";
  }

  /// All of it that this caller may know.
  Map<String, Object> of(OrderView view, Caller caller) {
    var order = view.order();
    var origin = order.origin();
    var standing = view.standing();
    var json = new LinkedHashMap<String, Object>();
    json.put("order_id", view.id());
    json.put("kind", order.kind().apiName());
    json.put("status", standing.status());
    json.put("message", standing.message());
    json.put(
        "links", links.of(view.id(), caller.actsFor(origin.client()) ? origin.pageToken() : null));
    json.put("version", view.version());
    json.put("created_at", view.createdAt());
    json.put("updated_at", view.movedAt());
    json.put("customer_id", origin.customerId());
    if (order.trip() == null) putWish(json, order.wish());
    else RideJson.put(json, view);
    json.put("total", money(order.total()));
    json.put("paid", money(view.paid()));
    json.put("refunded", money(refunded(view)));
    var reason = view.reason();
    if (reason != null) json.put("reason", reason);
    json.put("needs_attention", standing.needsAttention());
    desk.ticketOf(view.id()).ifPresent(ticket -> json.put("ticket", ticket));
    json.put("recovery_confirmed", standing.recoveryConfirmed());
    json.put("steps", view.steps().stream().map(OrderJson::step).toList());
    return json;
  }

  private Money refunded(OrderView view) {
    var own = view.refunded();
    var sum = own.plus(desk.refundedByHand(view.id(), own.currency())).orElse(own);
    // The order's own refund and a person's refund of everything have one key: they are one.
    return sum.amount() > view.paid().amount() ? view.paid() : sum;
  }

  private static void putWish(Map<String, Object> json, Order.Wish wish) {
    json.put("payment_method", wish.paymentMethod());
    var stay = wish.stay();
    if (stay == null) {
      json.put("lines", wish.lines());
      if (wish.cartId() != null) json.put("cart_id", wish.cartId());
    } else {
      json.put("room_id", stay.roomId());
      json.put("rooms", stay.rooms());
      json.put("check_in", stay.checkIn());
      json.put("check_out", stay.checkOut());
    }
  }

  private static Map<String, Object> money(Money money) {
    return Map.of("amount", money.amount(), "currency", money.currency());
  }

  private static Map<String, Object> step(StepView step) {
    var json = new LinkedHashMap<String, Object>();
    json.put("name", step.name());
    json.put("status", step.state().name().toLowerCase(Locale.ROOT));
    json.put("attempts", step.attempts());
    json.put("key", step.key());
    if (step.firstSentAt() != null) json.put("first_sent_at", step.firstSentAt());
    if (step.finishedAt() != null) json.put("finished_at", step.finishedAt());
    if (step.nextAttemptAt() != null) json.put("next_attempt_at", step.nextAttemptAt());
    if (step.lastError() != null) json.put("last_error", step.lastError());
    return json;
  }

  /// A line of a list.
  Map<String, Object> line(ListedOrder order) {
    var line = order.line();
    var json = new LinkedHashMap<String, Object>();
    json.put("order_id", line.id());
    json.put("kind", line.kind());
    json.put("status", order.status());
    json.put("customer_id", line.customerId());
    json.put("total", money(line.total()));
    json.put("created_at", line.createdAt());
    json.put("needs_attention", order.needsAttention());
    var reason = order.reason();
    if (reason != null) json.put("reason", reason);
    json.put("links", Map.of("self", links.self(line.id())));
    return json;
  }

  static List<String> statuses() {
    return Standing.STATUSES;
  }
}
