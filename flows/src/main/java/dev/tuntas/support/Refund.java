package dev.tuntas.support;

import dev.tuntas.money.Money;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Money that a person gives back.
///
/// @param id the id of its saga
/// @param whole it gives back all that is left
/// @param returned what was given back, once it was
public record Refund(
    String id,
    String orderId,
    long ticketNo,
    Money amount,
    boolean whole,
    Status status,
    Instant requestedAt,
    @Nullable Money returned,
    @Nullable String error) {

  /// The key of the effect. A refund of everything has that of the order's own, also when it is
  /// asked for again: so all of them together pay once.
  String key() {
    return whole ? keyOfWhole(orderId) : id;
  }

  static String keyOfWhole(String orderId) {
    return "refund-" + orderId;
  }

  public enum Status {
    REQUESTED,
    STARTED,
    /// Nobody knows whether it happened; a person must find out.
    HELD,
    DONE,
    REFUSED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public boolean isSettled() {
      return this == DONE || this == REFUSED;
    }
  }
}
