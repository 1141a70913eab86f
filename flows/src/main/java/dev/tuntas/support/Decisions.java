package dev.tuntas.support;

import dev.tuntas.store.Session;
import java.sql.SQLException;

/// Sagas that wait for a person.
public interface Decisions {

  /// Whether this saga can go on only by a decision.
  boolean waits(Session session, String sagaId) throws SQLException;

  /// Tells the saga what a person found out, in the transaction of the finding. False if that
  /// cannot be told yet, because a call may still be under way.
  boolean rule(Session session, String sagaId, Finding finding) throws SQLException;

  /// @param happened whether the effect in question is there
  record Finding(boolean happened, String actor, String evidence) {}
}
