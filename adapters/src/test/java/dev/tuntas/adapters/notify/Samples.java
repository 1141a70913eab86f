package dev.tuntas.adapters.notify;

import dev.tuntas.money.Money;
import dev.tuntas.notify.Channel.Parcel;
import dev.tuntas.notify.Message;
import dev.tuntas.notify.Message.Alert;
import dev.tuntas.notify.Message.CustomerNotice;
import dev.tuntas.notify.Message.Topic;
import java.time.Instant;
import java.util.List;

/// Messages as the support desk writes them, and as an attacker would like them.
final class Samples {

  static final Instant NOW = Instant.parse("2026-11-16T02:00:00Z");

  /// Everything that some reader could take for something else than text.
  static final String CANARY =
      "<script>alert(1)</script> <!channel> <https://evil.example|click> &lt; *b* `c` {{7*7}}"
          + " %n%s ${jndi:x}\r\nBcc: evil@example.com\r\n\r\n:bomb: @here";

  private Samples() {}

  static Alert alert() {
    return alert("ord_1", "Job ID retrieval timeout after 30 minutes");
  }

  static Alert alert(String orderId, String reason) {
    return new Alert(
        "Manual Refund Required",
        "tic_1",
        orderId,
        "CANCELLED_BY_SYSTEM_AFTER_PAYMENT",
        reason,
        "PAID",
        new Money(150_000, "IDR"),
        List.of(
            "Verify order details in admin panel",
            "Process full refund via refund module",
            "Contact customer if needed",
            "Mark as resolved in support system"),
        "High",
        "Within 24 hours");
  }

  static Alert hostile() {
    return new Alert(
        CANARY, CANARY, CANARY, CANARY, CANARY, CANARY, null, List.of(CANARY), CANARY, CANARY);
  }

  static CustomerNotice notice(Topic topic) {
    return new CustomerNotice(
        topic, "ord_1", "booking", "CONFIRMED", new Money(150_000, "IDR"), "out_of_stock", NOW);
  }

  static Parcel parcel(Message... messages) {
    return new Parcel("ord_1/7/0", List.of(messages), NOW);
  }
}
