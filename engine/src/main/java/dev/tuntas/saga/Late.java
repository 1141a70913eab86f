package dev.tuntas.saga;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// What a definition makes of a signal that no step waits for, or not any more.
public sealed interface Late<D> {

  /// Nothing to do: the history keeps it.
  record Ignore<D>() implements Late<D> {}

  /// Tell the world, through the outbox.
  record Announce<D>(Notice notice) implements Late<D> {}

  /// Something was learned that no step waits for, and whatever the saga does later must know it:
  /// that a payment arrived, for instance. The last value of a name counts. Unlike the data, which
  /// a call under way brings back as it was, facts are never lost; [Moment] and the saga's view
  /// tell them. With it, notices may go out.
  record Note<D>(String name, String value, List<Notice> notices) implements Late<D> {
    public Note {
      if (name.length() > 100 || value.length() > 1_000) {
        throw new IllegalArgumentException("a fact has a name of 100 and a value of 1000 letters");
      }
      notices = List.copyOf(notices);
    }
  }

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

  /// Where the saga stood, and what it knew, when the signal came.
  ///
  /// @param cause why it turned back, if it did
  record Context<D>(
      D data, Phase phase, @Nullable Failure cause, SortedMap<String, String> facts) {}

  /// Decides about such signals. It decides from what it is given and calls nobody.
  @FunctionalInterface
  interface Handler<D> {
    Late<D> on(Signal signal, Context<D> context);
  }
}
