package dev.tuntas.inventory;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;

/// How long goods are held for an order, and where the rooms are: a night is in the past there.
public record StockSettings(Duration holdTtl, ZoneId zone) {

  public StockSettings {
    if (holdTtl.compareTo(Duration.ofSeconds(1)) < 0 || holdTtl.compareTo(Duration.ofDays(7)) > 0) {
      throw new IllegalArgumentException("a hold lasts between 1 second and 7 days");
    }
  }

  /// A quarter of an hour, and UTC.
  public static StockSettings defaults() {
    return new StockSettings(Duration.ofMinutes(15), ZoneOffset.UTC);
  }
}
