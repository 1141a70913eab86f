package dev.tuntas.testkit;

import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/// How a saga's row changes. Every row made here keeps the constraints that a database would check.
final class Rows {

  private Rows() {}

  static SagaRow inserted(int node, Write.Insert saga) {
    return checked(
        new SagaRow(
            saga.id(),
            saga.kind(),
            saga.makesVersion(),
            saga.status(),
            ownerIn(saga.status(), node),
            saga.lane(),
            millisOrNull(saga.dueAt()),
            millis(saga.deadline()),
            0,
            saga.progress(),
            saga.data(),
            millis(saga.at()),
            millis(saga.at())));
  }

  static SagaRow moved(SagaRow row, Write.Move move) {
    var data = move.data();
    var deadline = move.deadline();
    return checked(
        new SagaRow(
            row.id(),
            row.kind(),
            move.makesVersion(),
            move.status(),
            ownerIn(move.status(), row.owner()),
            move.status() == Status.RUNNING ? row.lane() : move.lane(),
            millisOrNull(move.dueAt()),
            deadline == null ? row.deadline() : millis(deadline),
            move.keepsCrashes() ? row.crashes() : 0,
            move.progress(),
            data == null ? row.data() : data,
            row.createdAt(),
            millis(move.at())));
  }

  /// A claim or a take-over: another owner at the same version.
  static SagaRow owned(SagaRow row, int node, int crashes) {
    return checked(
        new SagaRow(
            row.id(),
            row.kind(),
            row.version(),
            Status.RUNNING,
            node,
            row.lane(),
            null,
            row.deadline(),
            crashes,
            row.progress(),
            row.data(),
            row.createdAt(),
            row.movedAt()));
  }

  /// The check constraints of the database. One that is violated is a bug of the engine.
  static void check(String id, Status status, @Nullable Instant dueAt) {
    if ((status == Status.WAITING) != (dueAt != null)) {
      throw new IllegalStateException(
          "saga " + id + " would be " + status + " with the due time " + dueAt);
    }
  }

  /// What is left of a time once it is stored.
  static Instant millis(Instant at) {
    return at.truncatedTo(ChronoUnit.MILLIS);
  }

  private static @Nullable Instant millisOrNull(@Nullable Instant at) {
    return at == null ? null : millis(at);
  }

  private static @Nullable Integer ownerIn(Status status, @Nullable Integer node) {
    return status == Status.RUNNING ? node : null;
  }

  private static SagaRow checked(SagaRow row) {
    check(row.id(), row.status(), row.dueAt());
    if ((row.status() == Status.RUNNING) != (row.owner() != null)) {
      throw new IllegalStateException(
          "saga " + row.id() + " would be " + row.status() + " with the owner " + row.owner());
    }
    return row;
  }
}
