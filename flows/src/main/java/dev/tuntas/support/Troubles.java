package dev.tuntas.support;

import dev.tuntas.orders.OrderEvent;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Puts what went wrong into the words of a ticket.
final class Troubles {

  private Troubles() {}

  static Trouble of(OrderEvent event, String alert) {
    var type = type(alert);
    var said = event.reason() == null ? null : event.reason().message();
    var reason = reason(event, type, said);
    boolean unknown = !type.name().equals(alert);
    return new Trouble(
        type,
        event.orderId(),
        event.sagaId(),
        event.eventId(),
        event.kind(),
        event.status(),
        event.version(),
        event.total(),
        unknown ? "Unknown kind of alert '" + alert + "': " + reason : reason,
        reason.equals(said) ? null : said,
        event.at());
  }

  /// An alert that we do not know is one more thing that nobody expected.
  private static TicketType type(String alert) {
    for (var type : TicketType.values()) if (type.name().equals(alert)) return type;
    return TicketType.UNEXPECTED_STATE;
  }

  private static String reason(OrderEvent event, TicketType type, @Nullable String said) {
    var what = event.kind().equals("booking") ? "Booking" : "Order";
    var order = what + " " + event.orderId();
    var place = place(event.step(), event.status());
    return switch (type) {
      case MANUAL_RECONCILIATION_REQUIRED ->
          order + " stuck at " + place + ": manual reconciliation required";
      case COMPENSATION_FAILED -> order + " could not be undone at " + place;
      case MANUAL_REFUND_REQUIRED, UNEXPECTED_STATE, STATUS_UPDATE_FAILED, FAILED_TO_GET_ORDER ->
          said != null ? said : order + " is " + event.status();
    };
  }

  /// What the documents call the state in which a call went out and no answer came.
  private static String place(@Nullable String step, String status) {
    if (step == null) return status;
    return switch (step) {
      case "pay", "charge", "payment", "take-payment" -> "PAYMENT_SENT";
      case "reserve", "hold-room" -> "RESERVE_SENT";
      default -> step.toUpperCase(Locale.ROOT).replace('-', '_') + "_SENT";
    };
  }

  static Trouble unexpected(String orderId, String cause, String reason, Instant now) {
    return new Trouble(
        TicketType.UNEXPECTED_STATE,
        orderId,
        orderId,
        cause,
        "ride",
        "UNKNOWN",
        0,
        null,
        reason,
        null,
        now);
  }

  static Trouble ofRefund(
      Refund refund, Ticket ticket, TicketType type, String reason, Instant now) {
    boolean held = type == TicketType.MANUAL_RECONCILIATION_REQUIRED;
    return new Trouble(
        type,
        refund.orderId(),
        held ? refund.id() : refund.orderId(),
        refund.id(),
        ticket.orderKind(),
        ticket.orderStatus(),
        0,
        refund.amount(),
        reason,
        null,
        now);
  }
}
