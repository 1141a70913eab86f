package dev.tuntas.support;

/// Why something was not done. `code` is stable; `message` is a sentence for people.
public record Refusal(Kind kind, String code, String message) {

  public enum Kind {
    NOT_FOUND,
    /// Not in this state.
    CONFLICT,
    /// It has changed since it was looked at.
    CHANGED,
    /// What was asked for makes no sense.
    INVALID,
    TOO_LONG
  }

  static Refusal noTicket() {
    return new Refusal(Kind.NOT_FOUND, "not_found", "There is no such ticket.");
  }

  static Refusal changed(long version) {
    return new Refusal(
        Kind.CHANGED,
        "version_conflict",
        "The ticket has changed since you looked at it; it is at version " + version + " now.");
  }

  static Refusal conflict(String code, String message) {
    return new Refusal(Kind.CONFLICT, code, message);
  }

  static Refusal invalid(String code, String message) {
    return new Refusal(Kind.INVALID, code, message);
  }
}
