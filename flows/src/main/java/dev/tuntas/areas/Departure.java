package dev.tuntas.areas;

/// Why an order no longer waits.
public enum Departure {
  ASSIGNED,
  CANCELLED_BY_USER,
  LIFETIME_TIMEOUT,
  /// Set aside for a person, cancelled by the system, or anything else.
  OTHERWISE
}
