package dev.tuntas.saga;

import org.jspecify.annotations.Nullable;

/// A turn in a saga's life that is worth a notice. `doubted` says that at some time nobody knew.
public record Moment<D>(
    Kind kind,
    String sagaId,
    String definition,
    @Nullable String step,
    @Nullable Failure cause,
    boolean doubted,
    D data) {

  public enum Kind {
    STARTED,
    STEP_DONE,
    STEP_SKIPPED,
    UNDOING,
    HELD,
    COMPENSATION_FAILED,
    LATE_SIGNAL,
    DONE,
    UNDONE
  }
}
