package dev.tuntas.support;

import dev.tuntas.store.Session;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/// Sagas that wait for a person.
public interface Decisions {

  /// Whether this saga can go on only by a decision.
  boolean waits(Session session, String sagaId) throws SQLException;

  /// Whether what it waits for is that money is given back: then a refund by hand is just that.
  boolean waitsForRefund(Session session, String sagaId) throws SQLException;

  /// Tells a saga that waits what a person found out, in the transaction of the finding. Empty if
  /// it is told; else the time from which on it can be, because a call may still be under way.
  Optional<Instant> rule(Session session, String sagaId, Finding finding) throws SQLException;

  /// @param happened whether the effect in question is there
  record Finding(boolean happened, String actor, String evidence) {}
}
