package dev.tuntas.server.settings;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// The inventory service.
///
/// @param drivenBy how orders tell it what to reserve and to release
/// @param commandExpiry how long a message that reserves may take to be published
public record InventorySettings(
    @DefaultValue Reservation reservation,
    @DefaultValue("calls") DrivenBy drivenBy,
    @DefaultValue("60s") Duration commandExpiry) {

  public enum DrivenBy {
    CALLS,
    MESSAGES
  }

  public InventorySettings {
    Limits.positive("inventory.command-expiry", commandExpiry);
  }

  public record Reservation(
      @DefaultValue("15") int holdTtlMinutes,
      @DefaultValue("60000") long expiryJobIntervalMs,
      @DefaultValue("false") boolean idempotencyRedisCache) {

    public Reservation {
      Limits.between("inventory.reservation.hold-ttl-minutes", holdTtlMinutes, 1, 10_080);
      Limits.between(
          "inventory.reservation.expiry-job-interval-ms", expiryJobIntervalMs, 10, 86_400_000);
    }

    public Duration holdTtl() {
      return Duration.ofMinutes(holdTtlMinutes);
    }

    public Duration expiryJobInterval() {
      return Duration.ofMillis(expiryJobIntervalMs);
    }
  }
}
