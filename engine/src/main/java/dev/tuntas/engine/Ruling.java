package dev.tuntas.engine;

import dev.tuntas.saga.Signal;
import java.util.Locale;

/// What a person or a client decided about a saga. It reaches the saga through its inbox, like a
/// signal, and stands in its history with who, why and on what evidence.
///
/// `seenVersion` is the version of the saga that the person looked at, or -1. Rulings that state a
/// fact or turn the saga's course need it, and are refused when the saga has moved on since: what
/// was true then may not be true now.
public record Ruling(Kind kind, String actor, String reason, String evidence, long seenVersion) {

  public enum Kind {
    /// Undo it, if it is not past its pivot.
    CANCEL,
    /// Do now what is waiting, with fresh attempts.
    RETRY,
    /// The step or undo in question happened.
    HAPPENED,
    /// The step in question certainly did not happen.
    DID_NOT_HAPPEN,
    /// Stop trying: turn back, or leave an undo undone for good.
    GIVE_UP,
    /// Go on without an optional step.
    SKIP;

    boolean needsVersion() {
      return this != CANCEL && this != RETRY;
    }
  }

  static final String SIGNAL_NAME = "tuntas.ruling";

  public Ruling {
    if (actor.isBlank()) throw new IllegalArgumentException("a ruling needs an actor");
    if (reason.isBlank()) throw new IllegalArgumentException("a ruling needs a reason");
    if (kind.needsVersion() && seenVersion < 1) {
      throw new IllegalArgumentException("this ruling needs the version of the saga it is about");
    }
  }

  /// To undo the saga, wherever it stands before its pivot.
  public static Ruling cancel(String actor, String reason) {
    return new Ruling(Kind.CANCEL, actor, reason, "", -1);
  }

  /// To do now what is waiting.
  public static Ruling retry(String actor, String reason) {
    return new Ruling(Kind.RETRY, actor, reason, "", -1);
  }

  /// The inbox row that carries it.
  public Signal asSignal(String externalId) {
    var body =
        new Tokens()
            .add("kind", kind.name())
            .add("actor", actor)
            .add("reason", reason)
            .add("evidence", evidence)
            .add("seen", seenVersion);
    return new Signal(SIGNAL_NAME, externalId, SIGNAL_NAME, body.toString());
  }

  static boolean isOne(Signal signal) {
    return signal.source().equals(SIGNAL_NAME);
  }

  static Ruling read(Signal signal) {
    var tokens = Tokens.parse(signal.body());
    return new Ruling(
        Kind.valueOf(tokens.get("kind")),
        tokens.get("actor"),
        tokens.get("reason"),
        tokens.get("evidence"),
        Long.parseLong(tokens.get("seen")));
  }

  /// For the history.
  String sentence() {
    var said = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return actor
        + " ruled '"
        + said
        + "': "
        + reason
        + (evidence.isBlank() ? "" : " [" + evidence + "]");
  }
}
