package dev.tuntas.saga;

/// What a definition makes of a signal that its step no longer waits for.
public sealed interface Late<D> {

  /// Nothing to do: the history keeps it.
  record Ignore<D>() implements Late<D> {}

  /// Tell the world, through the outbox.
  record Announce<D>(Notice notice) implements Late<D> {}

  /// The effect came into being after all: undo it, under a key of its own. Only for a saga that is
  /// undone or being undone.
  record Undo<D>(String step, D data) implements Late<D> {}

  /// Where the saga stood when the signal came.
  enum Phase {
    RUNNING,
    UNDOING,
    DONE,
    UNDONE
  }

  /// Decides about late signals. It decides from what it is given and calls nobody.
  @FunctionalInterface
  interface Handler<D> {
    Late<D> on(D data, Signal signal, Phase phase);
  }
}
