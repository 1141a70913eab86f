package dev.tuntas.notify;

import dev.tuntas.money.Money;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What people are told. It names orders and tickets, and no person.
public sealed interface Message {

  String orderId();

  /// A ticket for the support team.
  ///
  /// @param title "Manual Refund Required"
  /// @param actions what to do, in order
  /// @param sla "Within 24 hours"
  record Alert(
      String title,
      String ticketId,
      String orderId,
      String status,
      String reason,
      String paymentStatus,
      @Nullable Money amount,
      List<String> actions,
      String priority,
      String sla)
      implements Message {

    public Alert {
      actions = List.copyOf(actions);
    }

    /// The amount for people, or a dash.
    public String amountText() {
      return amount == null ? "-" : amount.text();
    }
  }

  /// Something the customer should know about an order.
  ///
  /// @param orderKind `checkout`, `booking` or `ride`
  /// @param reason a stable code, if the order failed
  record CustomerNotice(
      Topic topic,
      String orderId,
      String orderKind,
      String status,
      @Nullable Money amount,
      @Nullable String reason,
      Instant at)
      implements Message {}

  /// What a notice is about.
  enum Topic {
    CONFIRMED("order.confirmed"),
    FAILED("order.failed"),
    CANCELLED("order.cancelled"),
    /// Confirmed by recovery, after the customer was told that it is being processed.
    RECOVERED_LATE("order.confirmed"),
    REFUNDED("order.refunded"),
    /// No driver was found in time: a short message for the customer's phone, beside the letter.
    NO_DRIVER_PUSH("order.cancelled");

    private final String type;

    Topic(String type) {
      this.type = type;
    }

    /// Whether it is for a phone and not for a mailbox.
    public boolean isPush() {
      return this == NO_DRIVER_PUSH;
    }

    /// Its stable name in webhooks.
    public String type() {
      return type;
    }
  }
}
