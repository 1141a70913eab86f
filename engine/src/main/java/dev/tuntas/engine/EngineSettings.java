package dev.tuntas.engine;

import java.time.Duration;

/// The engine's limits and times. `standard()` fits most; the parts can be replaced one by one.
public record EngineSettings(Limits limits, Beats beats, Pace pace, Retention retention) {

  /// How much at once.
  ///
  /// @param running sagas that this process runs at once; more are accepted and wait in the store
  /// @param batch entries of one commit
  /// @param sweep sagas of one sweep
  /// @param publishAttempts attempts to publish a notice before it is a dead letter
  public record Limits(int running, int batch, int sweep, int publishAttempts) {

    public Limits {
      if (running < 1 || batch < 1 || sweep < 1 || publishAttempts < 1) {
        throw new IllegalArgumentException("every limit must be at least 1");
      }
    }
  }

  /// Life and death.
  ///
  /// @param every how often this process shows that it lives
  /// @param callsStopAfter no call starts this long after the last good beat
  /// @param deadAfter a process whose beat has stood still for so long is dead
  public record Beats(Duration every, Duration callsStopAfter, Duration deadAfter) {

    public Beats {
      if (deadAfter.compareTo(callsStopAfter) <= 0) {
        throw new IllegalArgumentException(
            "deadAfter must be longer than callsStopAfter, or a dead process could still call");
      }
      if (callsStopAfter.compareTo(every) <= 0) {
        throw new IllegalArgumentException("callsStopAfter must be longer than every");
      }
    }
  }

  /// How often.
  ///
  /// @param claimEvery how often due sagas are claimed
  /// @param napMax waits up to this long stay in memory
  /// @param sweepEvery how often the sweeper looks for sagas that have not moved
  /// @param stuckAfter how long a saga may stand still before the sweeper triggers it again
  public record Pace(
      Duration claimEvery, Duration napMax, Duration sweepEvery, Duration stuckAfter) {}

  /// How long things are kept.
  ///
  /// @param ended ended sagas, their history and applied inbox rows
  /// @param consumed what consumers have seen
  public record Retention(Duration ended, Duration consumed) {}

  public static EngineSettings standard() {
    return new EngineSettings(
        new Limits(10_000, 1_000, 100, 20),
        new Beats(Duration.ofMillis(500), Duration.ofMillis(2_500), Duration.ofSeconds(3)),
        new Pace(
            Duration.ofMillis(100),
            Duration.ofSeconds(2),
            Duration.ofMinutes(5),
            Duration.ofMinutes(5)),
        new Retention(Duration.ofDays(30), Duration.ofDays(7)));
  }

  /// With so many sagas that run at once.
  public EngineSettings running(int sagas) {
    return limits(new Limits(sagas, limits.batch, limits.sweep, limits.publishAttempts));
  }

  public EngineSettings limits(Limits with) {
    return new EngineSettings(with, beats, pace, retention);
  }

  public EngineSettings beats(Beats with) {
    return new EngineSettings(limits, with, pace, retention);
  }

  public EngineSettings pace(Pace with) {
    return new EngineSettings(limits, beats, with, retention);
  }

  public EngineSettings retention(Retention with) {
    return new EngineSettings(limits, beats, pace, with);
  }
}
