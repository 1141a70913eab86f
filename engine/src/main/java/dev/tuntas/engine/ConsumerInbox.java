package dev.tuntas.engine;

import java.sql.Connection;
import java.time.Instant;

/// What a consumer of notices has already seen, so that at-least-once becomes once.
public interface ConsumerInbox {

  /// Notes the event in the caller's transaction. False when this consumer has seen it before: then
  /// it must do nothing.
  boolean firstTime(Connection callers, String consumer, String eventId, Instant at);

  /// Deletes up to `limit` notes from before.
  int purge(Instant before, int limit);
}
