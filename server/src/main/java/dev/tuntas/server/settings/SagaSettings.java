package dev.tuntas.server.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How long a step is tried before a person must look at it.
public record SagaSettings(@DefaultValue("24h") Duration giveUp) {

  public SagaSettings {
    Limits.positive("saga.give-up", giveUp);
  }
}
