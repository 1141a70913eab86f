package dev.tuntas.saga;

import java.time.Duration;

/// What ends a doubt that nobody could resolve in time.
///
/// @param after counted from the first doubt about the step, however long it waited for its call;
///   from its beginning if it only waits for a signal
public record GiveUp(Duration after, How how) {

  public enum How {
    /// The step is safe: undo it together with what came before, and fail.
    UNDO,
    /// It may have taken money: never released, a person decides.
    HOLD
  }

  public static GiveUp undo(Duration after) {
    return new GiveUp(after, How.UNDO);
  }

  public static GiveUp hold(Duration after) {
    return new GiveUp(after, How.HOLD);
  }
}
