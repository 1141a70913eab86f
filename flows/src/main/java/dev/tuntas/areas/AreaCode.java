package dev.tuntas.areas;

/// Why an order is refused, as clients are told.
public enum AreaCode {
  DISPATCHER_AREA_THRESHOLD_REACHED,
  DISPATCHER_AREA_DISABLED,
  DISPATCHER_AREA_NOT_FOUND,
  DISPATCHER_SERVICE_UNAVAILABLE
}
