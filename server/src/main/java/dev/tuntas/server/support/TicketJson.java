package dev.tuntas.server.support;

import dev.tuntas.money.Money;
import dev.tuntas.support.Refund;
import dev.tuntas.support.Ticket;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Tickets and refunds as the API shows them.
final class TicketJson {

  private TicketJson() {}

  static Map<String, @Nullable Object> of(Ticket ticket) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("id", ticket.id());
    json.put("type", ticket.type().name());
    json.put("status", ticket.status().word());
    json.put("order_id", ticket.orderId());
    json.put("amount", money(ticket.amount()));
    json.put("reason", ticket.reason());
    json.put("actions", ticket.actions());
    json.put("priority", Ticket.PRIORITY);
    json.put("opened_at", ticket.openedAt());
    json.put("due_at", ticket.dueAt());
    json.put("overdue", ticket.overdue());
    json.put("verified", ticket.verified());
    json.put("notes", ticket.notes());
    var resolution = ticket.resolution();
    if (resolution != null) {
      json.put("resolution", resolution.word());
      json.put("resolved_at", ticket.resolvedAt());
    }
    json.put("version", ticket.version());
    return json;
  }

  static Map<String, @Nullable Object> of(Refund refund) {
    var json = new LinkedHashMap<String, @Nullable Object>();
    json.put("refund_id", refund.id());
    json.put("order_id", refund.orderId());
    json.put("amount", money(refund.amount()));
    json.put("status", refund.status().word());
    json.put("requested_at", refund.requestedAt());
    if (refund.returned() != null) json.put("returned", money(refund.returned()));
    if (refund.error() != null) json.put("error", refund.error());
    return json;
  }

  private static @Nullable Map<String, Object> money(@Nullable Money money) {
    return money == null ? null : Map.of("amount", money.amount(), "currency", money.currency());
  }
}
