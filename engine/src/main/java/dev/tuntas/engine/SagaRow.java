package dev.tuntas.engine;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A saga as the store holds it. `progress` and `data` are text: see [ProgressCodec] and
/// [DataCodec]. Times have millisecond precision.
public record SagaRow(
    String id,
    int kind,
    long version,
    Status status,
    @Nullable Integer owner,
    int lane,
    @Nullable Instant dueAt,
    Instant deadline,
    int crashes,
    String progress,
    String data,
    Instant createdAt,
    Instant movedAt) {}
