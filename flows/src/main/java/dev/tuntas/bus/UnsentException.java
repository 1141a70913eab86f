package dev.tuntas.bus;

import java.util.Map;
import java.util.Set;

/// Some messages certainly did not go out, each for a reason of its own or because the broker has
/// no place for its kind; all others did.
public final class UnsentException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient Map<String, String> reasons;
  private final transient Set<String> missing;

  /// @param reasons by the ids of the messages
  /// @param missing kinds that the broker has no place for now: none of their events went out, and
  ///   nothing is wrong with them
  public UnsentException(Map<String, String> reasons, Set<String> missing) {
    super(said(reasons, missing), null, false, false);
    this.reasons = Map.copyOf(reasons);
    this.missing = Set.copyOf(missing);
  }

  private static String said(Map<String, String> reasons, Set<String> missing) {
    var said = reasons.size() + " messages did not go out: " + reasons;
    return missing.isEmpty() ? said : said + ", and there is no place for events of " + missing;
  }

  public Map<String, String> reasons() {
    return reasons;
  }

  public Set<String> missing() {
    return missing;
  }
}
