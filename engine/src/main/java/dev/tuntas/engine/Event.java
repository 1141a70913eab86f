package dev.tuntas.engine;

import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Signal;

/// What can happen to a saga.
public sealed interface Event<D> {

  /// Its time has come.
  record Due<D>() implements Event<D> {}

  /// The call under way was answered, or its timeout passed. `partnerAway` says that its partner
  /// fails everybody, so that its lane's breaker is open.
  record Reported<D>(Outcome<D> outcome, boolean partnerAway) implements Event<D> {

    public Reported(Outcome<D> outcome) {
      this(outcome, false);
    }
  }

  /// Its owner died; what it had sent may have arrived.
  record Abandoned<D>() implements Event<D> {}

  /// News from outside.
  record Told<D>(Signal signal) implements Event<D> {}

  /// A person or a client decided. `version` is the saga's when the ruling is heard.
  record Ruled<D>(Ruling ruling, long version) implements Event<D> {}

  /// Something that must not be: a bug, a crash loop. A person must look.
  record Seized<D>(Failure why) implements Event<D> {}
}
