package dev.tuntas.server.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How long a ride waits for its job id.
public record RideSettings(
    @DefaultValue("5s") Duration initialWait, @DefaultValue("30m") Duration maxElapsed) {

  public RideSettings {
    Limits.positive("ride.initial-wait", initialWait);
    Limits.positive("ride.max-elapsed", maxElapsed);
  }
}
