package dev.tuntas.saga;

import java.util.HashSet;
import org.jspecify.annotations.Nullable;

/// Finds what makes a definition wrong before it ever runs.
final class Flaws {

  private Flaws() {}

  /// The first flaw, as a sentence, or null.
  static @Nullable String in(SagaDefinition<?> saga) {
    if (saga.name().isBlank() || saga.name().length() > 60) {
      return "a definition's name has 1 to 60 characters";
    }
    if (saga.version() < 1) return "versions count from 1";
    if (saga.steps().isEmpty()) return "it has no steps";
    var names = new HashSet<String>();
    var signals = new HashSet<String>();
    var pivots = 0;
    for (var step : saga.steps()) {
      var flaw = step.flaw();
      if (flaw != null) return flaw;
      if (!names.add(step.name())) return "two steps are called '" + step.name() + "'";
      var signal = step.signal();
      if (signal != null && !signals.add(signal)) {
        return "two steps wait for the signal '" + signal + "'";
      }
      if (step.isPivot() && ++pivots > 1) {
        return "it has two pivots: there is one point of no return";
      }
    }
    for (int i = 0; i < saga.steps().size(); i++) {
      var flaw =
          saga.isPastPivot(i) ? afterPivot(saga.steps().get(i)) : upToPivot(saga.steps().get(i));
      if (flaw != null) return flaw;
    }
    return null;
  }

  private static @Nullable String upToPivot(Step<?> step) {
    if (step.isPivot() || step.undo() != null || step.isHarmless()) return null;
    return "step '"
        + step.name()
        + "' comes before the pivot and cannot be undone: give it an undo, or mark it harmless";
  }

  private static @Nullable String afterPivot(Step<?> step) {
    if (step.undo() != null) {
      return "step '" + step.name() + "' comes after the pivot: its undo would never be called";
    }
    if (step.isOptional()) return null;
    if (!step.retry().canRepeat()) {
      return "step '"
          + step.name()
          + "' comes after the pivot and cannot be retried: it must succeed in the end";
    }
    if (step.giveUp().how() == GiveUp.How.UNDO) {
      return "step '" + step.name() + "' comes after the pivot and cannot be undone on give-up";
    }
    return null;
  }
}
