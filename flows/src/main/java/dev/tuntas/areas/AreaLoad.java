package dev.tuntas.areas;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A service in an area as it is now.
///
/// @param reachedAt the last moment at which so many waited that the area was full
/// @param assignedPerSecond how many orders found a driver lately
public record AreaLoad(
    Area area,
    String service,
    AreaRules rules,
    @Nullable AreaOverride override,
    long waiting,
    @Nullable Instant reachedAt,
    double assignedPerSecond) {

  public long thresholdAt(Instant now) {
    return rules.thresholdAt(now, assignedPerSecond);
  }

  public long maxWithBypassAt(Instant now) {
    return rules.withBypass(thresholdAt(now));
  }

  /// The override that holds now.
  public @Nullable AreaOverride overrideAt(Instant now) {
    return override != null && override.holdsAt(now) ? override : null;
  }

  boolean isEnabled() {
    return area.enabled() && rules.enabled();
  }

  /// Whether it was full so lately that ordinary customers have to wait.
  boolean isCoolingAt(Instant now) {
    return reachedAt != null && now.isBefore(reachedAt.plus(rules.cooldown()));
  }

  /// How long a new order would wait for a driver: as long as lately assignments would take for all
  /// who wait, or one attempt where nothing is known; never longer than an order lives.
  public Duration estimatedWait() {
    long seconds =
        assignedPerSecond > 0
            ? (long) Math.ceil((waiting + 1) / assignedPerSecond)
            : rules.dispatchTimeoutSec();
    return Duration.ofSeconds(Math.min(seconds, rules.orderLifetimeSec()));
  }
}
