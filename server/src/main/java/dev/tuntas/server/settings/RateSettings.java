package dev.tuntas.server.settings;

import org.jspecify.annotations.Nullable;

/// How many requests one client may send. Zero means as many as it likes; unset, the embedded
/// default limits nobody.
public record RateSettings(@Nullable Integer perSecond, @Nullable Integer burst) {

  private static final int PER_SECOND = 200;
  private static final int BURST = 400;

  public RateSettings {
    if (perSecond != null) Limits.between("rate-limit.per-second", perSecond, 0, 1_000_000);
    if (burst != null) Limits.between("rate-limit.burst", burst, 1, 1_000_000);
  }

  public int perSecondOr(boolean embedded) {
    if (perSecond != null) return perSecond;
    return embedded ? 0 : PER_SECOND;
  }

  public int burstOrDefault() {
    if (burst != null) return burst;
    return perSecond == null ? BURST : Math.max(1, 2 * perSecond);
  }
}
