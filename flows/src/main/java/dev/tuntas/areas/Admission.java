package dev.tuntas.areas;

import dev.tuntas.areas.AdmissionDecision.Available;
import dev.tuntas.areas.AdmissionDecision.Busy;
import dev.tuntas.areas.AdmissionDecision.Bypassed;
import dev.tuntas.areas.AdmissionDecision.Disabled;
import dev.tuntas.areas.AdmissionDecision.Refused;
import dev.tuntas.areas.AdmissionDecision.Shadowed;
import dev.tuntas.areas.AdmissionDecision.Unasked;
import java.time.Duration;
import java.time.Instant;

/// May one more order wait in this area now? Pure: the load is measured by the caller.
public final class Admission {

  /// Who asks.
  public record Customer(Loyalty loyalty, String channel) {}

  private Admission() {}

  public static AdmissionDecision decide(
      Flags.ServerBusy flags, AreaLoad load, Customer customer, Instant now) {
    var limit = limit(load, customer.loyalty, now);
    if (!flags.concerns(load.area().id(), customer.channel)) {
      return new Unasked(load, SlotLimit.none(limit.threshold()));
    }
    var decided = decide(load, limit, customer.loyalty, now);
    return flags.shadowMode()
        ? switch (decided) {
          case Refused would -> new Shadowed(load, limit.shadow(), would);
          case Available _ -> new Available(load, limit.shadow());
          case Bypassed _ -> new Bypassed(load, limit.shadow(), customer.loyalty);
          case Shadowed _, Unasked _ -> decided;
        }
        : decided;
  }

  private static AdmissionDecision decide(
      AreaLoad load, SlotLimit limit, Loyalty loyalty, Instant now) {
    if (!load.isEnabled()) return new Disabled(load, busyRetry(load));
    if (load.waiting() >= limit.waitingBelow() || isCoolingFor(load, limit)) {
      return busy(load, loyalty, now);
    }
    boolean full = load.waiting() >= limit.threshold() || load.isCoolingAt(now);
    return full && load.overrideAt(now) == null
        ? new Bypassed(load, limit, loyalty)
        : new Available(load, limit);
  }

  private static boolean isCoolingFor(AreaLoad load, SlotLimit limit) {
    return load.reachedAt() != null && load.reachedAt().isAfter(limit.fullBefore());
  }

  /// What is told to somebody who found no slot: the load was another a moment ago.
  public static Busy busy(AreaLoad load, Loyalty loyalty, Instant now) {
    boolean forced = load.overrideAt(now) != null;
    return new Busy(load, busyRetry(load), !forced && load.rules().lets(loyalty));
  }

  private static Duration busyRetry(AreaLoad load) {
    return Duration.ofSeconds(load.rules().busyRetryIntervalSec());
  }

  /// What a slot for this customer depends on.
  private static SlotLimit limit(AreaLoad load, Loyalty loyalty, Instant now) {
    long threshold = load.thresholdAt(now);
    if (!load.isEnabled()) return new SlotLimit(threshold, 0, SlotLimit.NEVER_MIND, true);
    var override = load.overrideAt(now);
    if (override != null) {
      return switch (override.status()) {
        case FORCE_BUSY -> new SlotLimit(threshold, 0, SlotLimit.NEVER_MIND, true);
        case FORCE_AVAILABLE -> SlotLimit.none(threshold);
      };
    }
    return load.rules().lets(loyalty)
        ? new SlotLimit(threshold, load.rules().withBypass(threshold), SlotLimit.NEVER_MIND, true)
        : new SlotLimit(threshold, threshold, now.minus(load.rules().cooldown()), true);
  }
}
