package dev.tuntas.support;

import dev.tuntas.rides.Closing;

/// Who gives back what was paid for a ride that the system cancelled.
public enum RefundPolicy {
  /// A person, by the ticket.
  MANUAL,
  /// Nobody has to: the ticket is worked on by itself, and people hear of it only if that fails.
  AUTOMATIC;

  boolean covers(Ticket ticket) {
    return this == AUTOMATIC
        && ticket.type() == TicketType.MANUAL_REFUND_REQUIRED
        && ticket.orderStatus().equals(Closing.AFTER_PAYMENT);
  }
}
