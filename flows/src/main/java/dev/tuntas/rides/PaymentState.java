package dev.tuntas.rides;

/// What a ride's payment means for us. Whoever takes the money reports its status in a word of
/// their own; four words are known, and any other is for a person.
public enum PaymentState {
  PAID,
  UNPAID,
  UNKNOWN;

  public static PaymentState of(String status) {
    return switch (status) {
      case "PAID", "SETTLEMENT" -> PAID;
      case "PENDING", "UNPAID" -> UNPAID;
      default -> UNKNOWN;
    };
  }
}
