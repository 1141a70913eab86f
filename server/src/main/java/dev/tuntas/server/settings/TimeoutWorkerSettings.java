package dev.tuntas.server.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// How often messages past their time are looked for.
public record TimeoutWorkerSettings(@DefaultValue("30s") Duration interval) {

  public TimeoutWorkerSettings {
    Limits.positive("timeout-worker.interval", interval);
  }
}
