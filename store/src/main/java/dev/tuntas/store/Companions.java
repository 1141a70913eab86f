package dev.tuntas.store;

import dev.tuntas.engine.Write;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/// Rows of the application that are written together with new sagas, in their transaction: those of
/// many sagas at once. It may be asked again about a saga whose commit is in doubt.
public interface Companions {

  Companions NONE =
      new Companions() {
        @Override
        public boolean has(String sagaId) {
          return false;
        }

        @Override
        public Set<String> write(Session session, List<Write.Insert> sagas) {
          return Set.of();
        }
      };

  /// Whether anything is to be written with this saga.
  boolean has(String sagaId);

  /// Writes the rows of these sagas. Returns the ids of those that must not be started; of them
  /// nothing may have been written. On PostgreSQL an insert that meets a known key must do nothing,
  /// because a violation would fail the whole batch.
  Set<String> write(Session session, List<Write.Insert> sagas) throws SQLException;
}
