package dev.tuntas.orders;

import dev.tuntas.areas.AdmissionDecision;
import dev.tuntas.areas.AdmissionDecision.Available;
import dev.tuntas.areas.AdmissionDecision.Busy;
import dev.tuntas.areas.AdmissionDecision.Bypassed;
import dev.tuntas.areas.AdmissionDecision.Disabled;
import dev.tuntas.areas.AdmissionDecision.NotFound;
import dev.tuntas.areas.AdmissionDecision.Shadowed;
import dev.tuntas.areas.AdmissionDecision.Unasked;
import dev.tuntas.areas.AreaLoad;

/// Tells, in numbers, how often areas were full, and how many orders were refused for it.
public final class AdmissionJournal {

  private final RideWatch watch;

  public AdmissionJournal(RideWatch watch) {
    this.watch = watch;
  }

  /// Somebody asked whether one more order may wait: a check, or an order.
  public void asked(AdmissionDecision decision) {
    switch (decision) {
      case Busy busy -> reached(busy.load());
      case Bypassed bypassed -> reached(bypassed.load());
      case Shadowed(var load, _, var would) when would instanceof Busy -> reached(load);
      case Shadowed _, Available _, Unasked _, Disabled _, NotFound _ -> {}
    }
  }

  private void reached(AreaLoad load) {
    watch.count(RideMetric.THRESHOLD_REACHED, load.area().id(), load.service());
  }

  /// An order was refused because its area was busy.
  public void refused(AreaLoad load) {
    watch.count(RideMetric.CANCELS, load.area().id(), load.service(), "server_busy");
  }

  /// An order was let in and then found no slot.
  public void turnedAway(AreaLoad load) {
    reached(load);
    refused(load);
  }
}
