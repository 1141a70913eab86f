package dev.tuntas.payment;

import dev.tuntas.money.Money;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What our books say about the money of one order.
///
/// @param pending what partial refunds under way may yet give back
/// @param closed whether the order was refunded as a whole, so that it is never charged again
public record Ledger(
    String orderId,
    Money captured,
    Money refunded,
    Money pending,
    boolean closed,
    List<Request> requests,
    List<Line> journal) {

  public Ledger {
    requests = List.copyOf(requests);
    journal = List.copyOf(journal);
  }

  /// What was asked of the bank.
  ///
  /// @param operation `charge` or `refund`
  /// @param status `sent` while nobody knows, then `done` or `declined`
  /// @param code why it was declined
  public record Request(
      String operation,
      String key,
      String transactionId,
      Money amount,
      boolean whole,
      String status,
      @Nullable String code,
      long attempts,
      Instant createdAt,
      @Nullable Instant answeredAt) {}

  /// One side of a movement.
  ///
  /// @param account `bank` or `customer`
  public record Line(
      Instant at,
      String orderId,
      String operation,
      String key,
      String account,
      Money debit,
      Money credit) {}
}
