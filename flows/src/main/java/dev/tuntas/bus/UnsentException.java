package dev.tuntas.bus;

import java.util.Map;

/// Some messages certainly did not go out, each for a reason of its own; all others did.
public final class UnsentException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient Map<String, String> reasons;

  /// @param reasons by the ids of the messages
  public UnsentException(Map<String, String> reasons) {
    super(reasons.size() + " messages did not go out: " + reasons, null, false, false);
    this.reasons = Map.copyOf(reasons);
  }

  public Map<String, String> reasons() {
    return reasons;
  }
}
