package dev.tuntas.saga;

import java.time.Duration;

/// What ends a doubt that nobody could resolve in time.
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
