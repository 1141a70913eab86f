package dev.tuntas.simulator;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Where a booking stands at the simulated dispatch partner.
///
/// @param attempt the newest attempt to find a driver, from 1
/// @param driverId who drives; while `SEARCHING`, who will be found; once `CANCELLED`, who left
/// @param since when it became what it is
/// @param dueAt when the next thing happens by itself
/// @param version counts up with every change
record Journey(
    String bookingId,
    String orderId,
    State state,
    @Nullable String jobId,
    int attempt,
    @Nullable String driverId,
    Instant since,
    @Nullable Instant dueAt,
    long version) {

  enum State {
    /// It has no job yet.
    BOOKED,
    /// It has a job, and nobody looks for a driver.
    WAITING,
    SEARCHING,
    DRIVER_ASSIGNED,
    PICKED_UP,
    COMPLETED,
    CANCELLED;

    boolean isOver() {
      return this == COMPLETED || this == CANCELLED;
    }
  }

  /// Whether its driver turned back.
  boolean wasLeft() {
    return state == State.CANCELLED && driverId != null;
  }

  /// Who drives, as far as anybody may know.
  @Nullable String driver() {
    return state == State.SEARCHING ? null : driverId;
  }

  Journey becoming(State next, Instant now, @Nullable Instant due) {
    return new Journey(bookingId, orderId, next, jobId, attempt, driverId, now, due, version + 1);
  }

  Journey withJob(String job) {
    return new Journey(bookingId, orderId, state, job, attempt, driverId, since, dueAt, version);
  }

  Journey withAttempt(int number, @Nullable String driver) {
    return new Journey(bookingId, orderId, state, jobId, number, driver, since, dueAt, version);
  }
}
