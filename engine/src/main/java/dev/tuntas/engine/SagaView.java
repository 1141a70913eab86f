package dev.tuntas.engine;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A saga as people look at it. `definition` is null when this program does not know its kind.
public record SagaView(
    String id,
    @Nullable String definition,
    Status status,
    Progress progress,
    Trail trail,
    String data,
    long version,
    int crashes,
    @Nullable Instant dueAt,
    Instant createdAt,
    Instant movedAt) {

  /// A saga as its row says.
  public static SagaView of(SagaRow row, @Nullable String definition) {
    var line = ProgressCodec.decode(row.progress());
    return new SagaView(
        row.id(),
        definition,
        row.status(),
        line.progress(),
        line.trail(),
        row.data(),
        row.version(),
        row.crashes(),
        row.dueAt(),
        row.createdAt(),
        row.movedAt());
  }
}
