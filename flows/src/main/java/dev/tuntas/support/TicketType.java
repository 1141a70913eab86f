package dev.tuntas.support;

import java.util.List;

/// Why a person is needed, and what that person should do.
public enum TicketType {
  /// An order that was paid for will not be fulfilled.
  MANUAL_REFUND_REQUIRED(
      "Manual Refund Required",
      "Verify order details in admin panel",
      "Process full refund via refund module",
      "Contact customer if needed",
      "Mark as resolved in support system"),

  UNEXPECTED_STATE(
      "Unexpected State",
      "Verify order and payment in admin panel",
      "Find out what the customer paid and received",
      "Refund or complete the order as needed",
      "Mark as resolved in support system"),

  STATUS_UPDATE_FAILED(
      "Status Update Failed",
      "Verify order details in admin panel",
      "Correct the order's status by hand",
      "Mark as resolved in support system"),

  FAILED_TO_GET_ORDER(
      "Failed To Get Order",
      "Check that the order exists and can be read",
      "Verify the payment with the payment provider",
      "Mark as resolved in support system"),

  /// Nobody knows whether something happened that may have moved money.
  MANUAL_RECONCILIATION_REQUIRED(
      "Manual Reconciliation Required",
      "Look the payment up at the payment provider by its key",
      "Verify order details in admin panel",
      "Resolve as happened or did_not_happen: the order goes on from there",
      "Contact customer if needed"),

  /// Something that was done could not be taken back.
  COMPENSATION_FAILED(
      "Compensation Failed",
      "Verify at the other side what is still in effect",
      "Refund or release it, here or at the other side",
      "Resolve as happened when it was taken back, as did_not_happen to have it tried again",
      "Contact customer if needed");

  private final String title;
  private final List<String> actions;

  TicketType(String title, String... actions) {
    this.title = title;
    this.actions = List.of(actions);
  }

  public String title() {
    return title;
  }

  public List<String> actions() {
    return actions;
  }
}
