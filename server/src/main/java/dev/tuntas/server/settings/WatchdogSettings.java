package dev.tuntas.server.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// @param restartAfter when a process that cannot write, although others can, ends itself; zero for
///   never
public record WatchdogSettings(@DefaultValue("60s") Duration restartAfter) {

  public WatchdogSettings {
    if (restartAfter.isNegative()) {
      throw new IllegalArgumentException(
          "watchdog.restart-after is " + restartAfter + ", but must not be negative");
    }
  }
}
