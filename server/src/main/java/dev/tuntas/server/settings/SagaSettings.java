package dev.tuntas.server.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// @param giveUp how long a step is tried before a person must look at it
/// @param runningMax how many orders are worked on at once; others wait in the database
public record SagaSettings(
    @DefaultValue("24h") Duration giveUp, @DefaultValue("4000") int runningMax) {

  public SagaSettings {
    Limits.positive("saga.give-up", giveUp);
    Limits.between("saga.running-max", runningMax, 1, 1_000_000);
  }
}
