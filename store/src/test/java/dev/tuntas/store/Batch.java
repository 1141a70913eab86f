package dev.tuntas.store;

import dev.tuntas.engine.SagaStore;
import dev.tuntas.engine.SagaStore.Shape;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Notice;
import java.time.Instant;
import java.util.List;

/// Entries for tests.
final class Batch {

  static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
  static final Instant DEADLINE = START.plusSeconds(1800);

  private static final Shape SHAPE = new Shape("order", 1, "shape");

  private Batch() {}

  static int kind(SagaStore store) {
    return store.register(List.of(SHAPE)).get(SHAPE);
  }

  static Write.Insert running(String id, int kind, Notice... notices) {
    return insert(id, kind, "{}", notices);
  }

  static Write.Insert insert(String id, int kind, String data, Notice... notices) {
    return new Write.Insert(
        id,
        kind,
        Status.RUNNING,
        0,
        null,
        DEADLINE,
        "trying",
        data,
        "accepted",
        List.of(notices),
        START);
  }

  static Write.Move runsOn(String id, long version, String data) {
    return move(id, version, Status.RUNNING, null, data);
  }

  static Write.Move sleeps(String id, long version, Instant dueAt) {
    return move(id, version, Status.WAITING, dueAt, null);
  }

  static Write.Move ends(String id, long version) {
    return move(id, version, Status.DONE, null, null);
  }

  private static Write.Move move(
      String id, long version, Status status, Instant dueAt, String data) {
    return new Write.Move(
        id, version, status, 0, dueAt, dueAt, "next", data, "went on", List.of(), List.of(), START);
  }
}
