package dev.tuntas.engine;

import dev.tuntas.saga.Signal;
import java.util.Locale;

/// What a person or a client decided about a saga. It reaches the saga through its inbox, like a
/// signal, and stands in its history with who, why and on what evidence.
public record Ruling(Kind kind, String actor, String reason, String evidence) {

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
    SKIP
  }

  static final String SIGNAL_NAME = "tuntas.ruling";

  public Ruling {
    if (actor.isBlank()) throw new IllegalArgumentException("a ruling needs an actor");
    if (reason.isBlank()) throw new IllegalArgumentException("a ruling needs a reason");
  }

  Signal asSignal(String externalId) {
    var body =
        new Tokens()
            .add("kind", kind.name())
            .add("actor", actor)
            .add("reason", reason)
            .add("evidence", evidence);
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
        tokens.get("evidence"));
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
