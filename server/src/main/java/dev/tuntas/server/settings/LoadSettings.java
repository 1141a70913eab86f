package dev.tuntas.server.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How much work the front door takes on: a limit of requests in flight that follows the latency it
/// measures (zero turns it off), and fewer the more orders are being worked on.
public record LoadSettings(
    @DefaultValue("16") int inFlightMin,
    @DefaultValue("1024") int inFlightMax,
    @DefaultValue("100ms") Duration latencyTarget,
    @DefaultValue("2000") int openMax,
    @DefaultValue("1s") Duration retryAfter,
    @DefaultValue("100") int refusalsPerSecond) {

  public LoadSettings {
    Limits.between("load.in-flight-min", inFlightMin, 0, 100_000);
    Limits.between("load.in-flight-max", inFlightMax, Math.max(1, inFlightMin), 100_000);
    Limits.positive("load.latency-target", latencyTarget);
    Limits.between("load.open-max", openMax, 2, 10_000_000);
    Limits.positive("load.retry-after", retryAfter);
    Limits.between("load.refusals-per-second", refusalsPerSecond, 1, 1_000_000);
  }
}
