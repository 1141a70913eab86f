package dev.tuntas.testkit.simulation;

/// Something happened that must never happen.
public final class Violation extends AssertionError {

  private static final long serialVersionUID = 1L;

  private final String sagaId;

  Violation(String sagaId, String what) {
    super((sagaId.isEmpty() ? "" : "saga " + sagaId + ": ") + what);
    this.sagaId = sagaId;
  }

  String sagaId() {
    return sagaId;
  }
}
