package dev.tuntas.engine;

import java.time.Instant;

/// One decision about a saga: which version it made, when, by which node, and what it was.
public record HistoryLine(String sagaId, long version, Instant at, int node, String what) {}
