package dev.tuntas.areas;

import dev.tuntas.areas.AdmissionDecision.Admitted;
import dev.tuntas.areas.AdmissionDecision.Disabled;
import dev.tuntas.areas.AdmissionDecision.Shadowed;
import java.time.Instant;

/// A slot that an order wants.
///
/// @param expiresAt when the order's life ends; for those who look, nothing is given back by it
/// @param code what a refusal would be called
public record Wanted(
    String orderId,
    String area,
    String service,
    SlotLimit limit,
    Instant expiresAt,
    AreaCode code) {

  /// The slot for an order that was let in.
  public static Wanted of(String orderId, Admitted admitted, Instant now) {
    var load = admitted.load();
    boolean disabled = admitted instanceof Shadowed(_, _, Disabled _);
    return new Wanted(
        orderId,
        load.area().id(),
        load.service(),
        admitted.limit(),
        now.plusSeconds(load.rules().orderLifetimeSec()),
        disabled ? AreaCode.DISPATCHER_AREA_DISABLED : AreaCode.DISPATCHER_AREA_THRESHOLD_REACHED);
  }
}
