package dev.tuntas.server.settings;

import org.springframework.boot.context.properties.bind.DefaultValue;

/// How often a step is tried to be undone before it becomes a dead letter.
public record CompensationSettings(@DefaultValue("3") int maxAttempts) {

  public CompensationSettings {
    Limits.between("compensation.max-attempts", maxAttempts, 1, 100);
  }
}
