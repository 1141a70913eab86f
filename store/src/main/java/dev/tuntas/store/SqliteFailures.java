package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.store.Database.Stage;
import java.sql.SQLException;
import org.sqlite.SQLiteException;

/// What a result code of SQLite says about the transaction that met it.
final class SqliteFailures {

  private static final int ERROR = 1;
  private static final int BUSY = 5;
  private static final int LOCKED = 6;
  private static final int CORRUPT = 11;
  private static final int FULL = 13;
  private static final int CANNOT_OPEN = 14;
  private static final int TOO_BIG = 18;
  private static final int CONSTRAINT = 19;
  private static final int MISMATCH = 20;
  private static final int NOT_A_DATABASE = 26;

  private SqliteFailures() {}

  static Kind kindOf(SQLException failure, Stage stage) {
    return switch (primaryCode(failure)) {
      case CONSTRAINT, MISMATCH, TOO_BIG -> Kind.BAD_DATA;
      case CORRUPT, NOT_A_DATABASE -> Kind.UNUSABLE;
      case BUSY, LOCKED, FULL -> Kind.NOT_DONE;
      case ERROR -> stage == Stage.COMMIT ? Kind.UNKNOWN : Kind.UNUSABLE;
      // A commit whose sync failed is not visible now, but would be after a crash.
      default -> stage == Stage.COMMIT ? Kind.UNKNOWN : Kind.NOT_DONE;
    };
  }

  static StoreException failed(String attempted, Stage stage, SQLException cause) {
    var hint = primaryCode(cause) == CANNOT_OPEN ? OpenFiles.hint() : "";
    return new StoreException(
        kindOf(cause, stage), attempted + ": " + cause.getMessage() + hint, cause);
  }

  private static int primaryCode(SQLException failure) {
    return failure instanceof SQLiteException e ? e.getResultCode().code & 0xff : -1;
  }
}
