package dev.tuntas.engine;

import java.time.Duration;

/// The engine's limits and times.
///
/// @param runningMax sagas that this process runs at once; more are accepted and wait in the store
/// @param batchMax entries of one commit
/// @param writers threads that commit; PostgreSQL gains from two, SQLite has one writer
/// @param napMax waits up to this long stay in memory
/// @param beatEvery how often this process shows that it lives
/// @param callsStopAfter no call starts this long after the last good beat
/// @param deadAfter a process whose beat has stood still for so long is dead
/// @param claimEvery how often due sagas are claimed
/// @param sweepEvery how often the sweeper looks for sagas that have not moved
/// @param stuckAfter how long a saga may stand still before the sweeper triggers it again
/// @param sweepMax sagas of one sweep, and of one take-over of the sweeper
/// @param keepEnded how long ended sagas, their history and applied inbox rows are kept
/// @param publishAttempts attempts to publish a notice before it is a dead letter
public record EngineSettings(
    int runningMax,
    int batchMax,
    int writers,
    Duration napMax,
    Duration beatEvery,
    Duration callsStopAfter,
    Duration deadAfter,
    Duration claimEvery,
    Duration sweepEvery,
    Duration stuckAfter,
    int sweepMax,
    Duration keepEnded,
    int publishAttempts) {

  public EngineSettings {
    if (runningMax < 1 || batchMax < 1 || writers < 1 || sweepMax < 1 || publishAttempts < 1) {
      throw new IllegalArgumentException("every limit must be at least 1");
    }
    if (deadAfter.compareTo(callsStopAfter) <= 0) {
      throw new IllegalArgumentException(
          "deadAfter must be longer than callsStopAfter, or a dead process could still call");
    }
    if (callsStopAfter.compareTo(beatEvery) <= 0) {
      throw new IllegalArgumentException("callsStopAfter must be longer than beatEvery");
    }
  }

  public static EngineSettings standard() {
    return new EngineSettings(
        10_000,
        1_000,
        2,
        Duration.ofSeconds(2),
        Duration.ofMillis(500),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(3),
        Duration.ofMillis(100),
        Duration.ofMinutes(5),
        Duration.ofMinutes(5),
        100,
        Duration.ofDays(30),
        10);
  }
}
