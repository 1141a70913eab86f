package dev.tuntas.support;

import dev.tuntas.store.Session;
import java.sql.SQLException;

/// Where every deed of a person is written down, in the transaction of the deed.
@FunctionalInterface
public interface AuditTrail {

  /// @param action `ticket.resolve` and the like
  /// @param subject the id of what it was done to
  /// @param before how that was, and `after` how it is
  record Entry(
      String actor, String action, String subject, String before, String after, String reason) {}

  void append(Session session, Entry entry) throws SQLException;
}
