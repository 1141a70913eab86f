package dev.tuntas.saga;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A turn in a saga's life that is worth a notice. `doubted` says that at some time nobody knew.
public record Moment<D>(
    Kind kind,
    String sagaId,
    String definition,
    @Nullable String step,
    @Nullable Failure cause,
    boolean doubted,
    D data,
    Around around) {

  /// What is known besides.
  ///
  /// @param asks how often the current step was asked about without an answer
  /// @param facts what was learned beside the steps: see [Late.Note]
  /// @param turnedBack why the saga turned back, if it did
  /// @param failedStep the step whose failure turned it back, if one did
  /// @param leftUndone steps whose undo a person gave up
  public record Around(
      Instant at,
      int asks,
      Map<String, String> facts,
      @Nullable Failure turnedBack,
      @Nullable String failedStep,
      Set<String> leftUndone) {}

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
