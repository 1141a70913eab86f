package dev.tuntas.areas;

import java.time.Duration;

/// Whether one more order may wait in an area.
public sealed interface AdmissionDecision {

  /// It may. What limits it there is checked again, exactly, when a slot is taken.
  sealed interface Admitted extends AdmissionDecision {
    AreaLoad load();

    SlotLimit limit();
  }

  /// It may not.
  sealed interface Refused extends AdmissionDecision {}

  record Available(AreaLoad load, SlotLimit limit) implements Admitted {}

  /// The area is full, but not for a customer so loyal.
  record Bypassed(AreaLoad load, SlotLimit limit, Loyalty loyalty) implements Admitted {}

  /// Nothing is refused in shadow mode; this would have been.
  record Shadowed(AreaLoad load, SlotLimit limit, Refused would) implements Admitted {}

  /// Admission is off, or not for this area or channel: the area is only noted.
  record Unasked(AreaLoad load, SlotLimit limit) implements Admitted {}

  /// @param withBypass also for a customer who would have been let past the threshold
  record Busy(AreaLoad load, Duration retryAfter, boolean withBypass) implements Refused {}

  record Disabled(AreaLoad load, Duration retryAfter) implements Refused {}

  /// No area, or none with that service.
  record NotFound() implements Refused {}
}
