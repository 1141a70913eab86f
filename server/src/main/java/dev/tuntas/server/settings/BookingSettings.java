package dev.tuntas.server.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The booking saga, with the keys of its document.
public record BookingSettings(@DefaultValue Saga saga) {

  public record Saga(
      @DefaultValue("10") long recoveryThresholdMinutes,
      @DefaultValue("1440") long recoveryGiveUpMinutes,
      @DefaultValue("300000") long recoveryIntervalMs) {

    public Saga {
      Limits.between(
          "booking.saga.recovery-threshold-minutes", recoveryThresholdMinutes, 1, 10_080);
      Limits.between("booking.saga.recovery-give-up-minutes", recoveryGiveUpMinutes, 1, 525_600);
      Limits.between("booking.saga.recovery-interval-ms", recoveryIntervalMs, 10, 86_400_000);
    }

    public Duration recoveryThreshold() {
      return Duration.ofMinutes(recoveryThresholdMinutes);
    }

    public Duration recoveryGiveUp() {
      return Duration.ofMinutes(recoveryGiveUpMinutes);
    }

    public Duration recoveryInterval() {
      return Duration.ofMillis(recoveryIntervalMs);
    }
  }
}
