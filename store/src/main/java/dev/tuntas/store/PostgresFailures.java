package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.store.Database.Stage;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/// What an SQLSTATE of PostgreSQL says about the transaction that met it.
final class PostgresFailures {

  private PostgresFailures() {}

  static Kind kindOf(SQLException failure, Stage stage) {
    var lost = stage == Stage.COMMIT ? Kind.UNKNOWN : Kind.NOT_DONE;
    var state = failure.getSQLState();
    if (state == null || state.length() != 5) return lost;
    return switch (state) {
      case "XX001", "XX002" -> Kind.UNUSABLE; // data or index corrupted
      case "55P03", "57014" -> Kind.BLOCKED; // lock not had, statement took too long
      case "40003", "57P01", "57P02", "57P04" -> lost; // unknown, shutdown, crash, dropped
      default -> kindOfClass(state.substring(0, 2), lost);
    };
  }

  static StoreException failed(String attempted, Stage stage, SQLException cause) {
    return new StoreException(kindOf(cause, stage), attempted + ": " + reason(cause), cause);
  }

  /// A pool that has no connection to give says so, and hides why it could not make one.
  private static @Nullable String reason(SQLException failure) {
    if (!(failure instanceof SQLTransientConnectionException)
        || !(failure.getCause() instanceof SQLException why)) {
      return failure.getMessage();
    }
    return "53300".equals(why.getSQLState())
        ? "PostgreSQL has no connection left for this process (%s): raise max_connections there, or let every process have fewer (database.connections-max)"
            .formatted(why.getMessage())
        : why.getMessage();
  }

  /// Whether the server may not be written to, as one that is a standby since a failover.
  static boolean isReadOnly(SQLException failure) {
    return "25006".equals(failure.getSQLState());
  }

  /// Whether it was undone only because of others that ran at the same time.
  static boolean isCollision(SQLException failure) {
    var state = failure.getSQLState();
    return "40001".equals(state) || "40P01".equals(state); // not serializable, deadlock
  }

  private static Kind kindOfClass(String stateClass, Kind lost) {
    return switch (stateClass) {
      case "22", "23", "54" -> Kind.BAD_DATA; // data, constraint, limit exceeded
      case "42", "3F" -> Kind.UNUSABLE; // no such table, no right to it
      case "25", "28", "40", "53", "55", "57" -> Kind.NOT_DONE; // refused, deadlock, full, locked
      default -> lost; // 08 and whatever we do not know
    };
  }
}
