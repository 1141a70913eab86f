package dev.tuntas.server.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How much work the front door takes on at once: a limit of requests in flight that follows the
/// latency it measures. Zero turns it off.
public record LoadSettings(
    @DefaultValue("16") int inFlightMin,
    @DefaultValue("1024") int inFlightMax,
    @DefaultValue("100ms") Duration latencyTarget,
    @DefaultValue("1s") Duration retryAfter) {

  public LoadSettings {
    Limits.between("load.in-flight-min", inFlightMin, 0, 100_000);
    Limits.between("load.in-flight-max", inFlightMax, Math.max(1, inFlightMin), 100_000);
    Limits.positive("load.latency-target", latencyTarget);
    Limits.positive("load.retry-after", retryAfter);
  }
}
