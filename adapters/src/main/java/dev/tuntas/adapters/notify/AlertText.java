package dev.tuntas.adapters.notify;

import dev.tuntas.notify.Message.Alert;
import java.util.List;
import java.util.stream.Collectors;

/// An alert as plain text.
final class AlertText {

  record Fact(String name, String value) {}

  private AlertText() {}

  static List<Fact> facts(Alert alert) {
    return List.of(
        new Fact("Order ID", alert.orderId()),
        new Fact("Status", alert.status()),
        new Fact("Reason", alert.reason()),
        new Fact("Payment Status", alert.paymentStatus()),
        new Fact("Payment Amount", alert.amountText()));
  }

  static String of(Alert alert) {
    var text = new StringBuilder(alert.title()).append("\n\n");
    for (var fact : facts(alert)) {
      text.append(fact.name()).append(": ").append(fact.value()).append('\n');
    }
    text.append("\nAction Required:\n");
    for (int i = 0; i < alert.actions().size(); i++) {
      text.append(i + 1).append(". ").append(alert.actions().get(i)).append('\n');
    }
    text.append("\nPriority: ").append(alert.priority());
    text.append("\nSLA: ").append(alert.sla());
    return text.append("\nTicket: ").append(alert.ticketId()).append('\n').toString();
  }

  static String of(List<Alert> alerts) {
    return alerts.stream().map(AlertText::of).collect(Collectors.joining("\n----------\n\n"));
  }

  static String subject(List<Alert> alerts) {
    var first = alerts.getFirst();
    return alerts.size() == 1
        ? first.title() + ": " + first.orderId()
        : alerts.size() + " tickets need a person";
  }
}
