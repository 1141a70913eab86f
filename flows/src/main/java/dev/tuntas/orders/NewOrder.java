package dev.tuntas.orders;

import dev.tuntas.areas.AdmissionDecision;
import dev.tuntas.money.Money;
import dev.tuntas.rides.Trip;
import org.jspecify.annotations.Nullable;

/// An order that somebody wants to place: checked, priced, not yet accepted.
///
/// @param key the client's own name for it
/// @param fingerprint of the request: the same for the same request
/// @param ride what is wanted, if it is a ride
/// @param admitted where a ride will wait, if that is in an area
/// @param trace the `traceparent` of the request
public record NewOrder(
    String client,
    String key,
    String fingerprint,
    Order.Kind kind,
    String customerId,
    Order.Wish wish,
    Money total,
    @Nullable Contact contact,
    Trip.@Nullable Wish ride,
    AdmissionDecision.@Nullable Admitted admitted,
    @Nullable String trace) {

  /// An order that nobody traces.
  public NewOrder(
      String client,
      String key,
      String fingerprint,
      Order.Kind kind,
      String customerId,
      Order.Wish wish,
      Money total,
      @Nullable Contact contact) {
    this(client, key, fingerprint, kind, customerId, wish, total, contact, null, null, null);
  }
}
