package dev.tuntas.areas;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What a person decided about an area, whatever its load. It ends by itself.
public record AreaOverride(Status status, String reason, @Nullable Instant expiresAt) {

  public enum Status {
    FORCE_BUSY,
    FORCE_AVAILABLE
  }

  boolean holdsAt(Instant now) {
    return expiresAt == null || now.isBefore(expiresAt);
  }
}
