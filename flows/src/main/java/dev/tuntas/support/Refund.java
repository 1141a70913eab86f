package dev.tuntas.support;

import dev.tuntas.money.Money;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Money that a person gives back.
///
/// @param id the key of the effect, and the id of its saga
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
