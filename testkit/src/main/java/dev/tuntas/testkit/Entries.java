package dev.tuntas.testkit;

import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write.Applied;
import dev.tuntas.engine.Write.Insert;
import dev.tuntas.engine.Write.Move;
import dev.tuntas.saga.Notice;
import dev.tuntas.saga.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Entries for a store's tests, with everything filled in that a test does not care about. A saga
/// is inserted at [#START], and each of its versions comes a second after the one before.
final class Entries {

  static final Instant START = Instant.parse("2026-03-01T10:00:00.123Z");
  static final Instant DEADLINE = START.plus(Duration.ofHours(1));
  static final Instant LATER = START.plus(Duration.ofDays(1));

  private Entries() {}

  static Instant seconds(long afterStart) {
    return START.plusSeconds(afterStart);
  }

  static Notice notice(String body) {
    return new Notice("news", body);
  }

  /// A signal from the bank; its name is that of the step it is for.
  static Signal signal(String externalId) {
    return signal(externalId, "body of " + externalId);
  }

  static Signal signal(String externalId, String body) {
    return new Signal("bank", externalId, "paid", body);
  }

  static Insert running(String id, int kind, Notice... notices) {
    return insert(id, kind, Status.RUNNING, 0, null, DEADLINE, START, notices);
  }

  static Insert runningSince(Instant at, String id, int kind) {
    return insert(id, kind, Status.RUNNING, 0, null, DEADLINE, at);
  }

  static Insert waiting(String id, int kind, int lane, Instant dueAt) {
    return waiting(id, kind, lane, dueAt, DEADLINE);
  }

  static Insert waiting(String id, int kind, int lane, Instant dueAt, Instant deadline) {
    return insert(id, kind, Status.WAITING, lane, dueAt, deadline, START);
  }

  static Insert resting(String id, int kind, Status status) {
    return insert(id, kind, status, 0, null, DEADLINE, START);
  }

  static Insert resting(Instant at, String id, int kind, Status status) {
    return insert(id, kind, status, 0, null, DEADLINE, at);
  }

  static Insert insert(
      String id,
      int kind,
      Status status,
      int lane,
      @Nullable Instant dueAt,
      Instant deadline,
      Instant at,
      Notice... notices) {
    return new Insert(
        id,
        kind,
        status,
        lane,
        dueAt,
        deadline,
        "progress 1",
        "data 1",
        "inserted",
        List.of(notices),
        at);
  }

  /// The same, with another line of history.
  static Insert saying(String what, Insert saga) {
    return new Insert(
        saga.id(),
        saga.kind(),
        saga.status(),
        saga.lane(),
        saga.dueAt(),
        saga.deadline(),
        saga.progress(),
        saga.data(),
        what,
        saga.notices(),
        saga.at());
  }

  /// The saga goes on running.
  static Move runs(String id, long version, Notice... notices) {
    return move(id, version, Status.RUNNING, 0, null, notices);
  }

  static Move sleeps(String id, long version, int lane, Instant dueAt) {
    return move(id, version, Status.WAITING, lane, dueAt);
  }

  static Move rests(String id, long version, Status status) {
    return move(id, version, status, 0, null);
  }

  static Move move(
      String id,
      long version,
      Status status,
      int lane,
      @Nullable Instant dueAt,
      Notice... notices) {
    return new Move(
        id,
        version,
        status,
        lane,
        dueAt,
        dueAt == null ? null : DEADLINE,
        "progress " + (version + 1),
        null,
        "moved to " + (version + 1),
        List.of(notices),
        List.of(),
        seconds(version));
  }

  static Move withData(Move move, String data) {
    return copy(move, data, move.applied(), move.at());
  }

  static Move settling(Move move, Applied... applied) {
    return copy(move, move.data(), List.of(applied), move.at());
  }

  static Move at(Instant at, Move move) {
    return copy(move, move.data(), move.applied(), at);
  }

  /// The same, with another deadline.
  static Move until(Instant deadline, Move move) {
    return new Move(
        move.id(),
        move.version(),
        move.status(),
        move.lane(),
        move.dueAt(),
        deadline,
        move.progress(),
        move.data(),
        move.what(),
        move.notices(),
        move.applied(),
        move.at(),
        move.keepsCrashes());
  }

  /// The same, without ending a row of crashes.
  static Move keepingCrashes(Move move) {
    return new Move(
        move.id(),
        move.version(),
        move.status(),
        move.lane(),
        move.dueAt(),
        move.deadline(),
        move.progress(),
        move.data(),
        move.what(),
        move.notices(),
        move.applied(),
        move.at(),
        true);
  }

  private static Move copy(Move move, @Nullable String data, List<Applied> applied, Instant at) {
    return new Move(
        move.id(),
        move.version(),
        move.status(),
        move.lane(),
        move.dueAt(),
        move.deadline(),
        move.progress(),
        data,
        move.what(),
        move.notices(),
        applied,
        at);
  }
}
