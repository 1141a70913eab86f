package dev.tuntas.store;

import dev.tuntas.store.SqliteFile.Role;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// A session that stays open between uses. After a failure its connection is given up, and the next
/// use opens a new one. For one thread at a time.
final class KeptSession implements AutoCloseable {

  private final SqliteFile file;
  private final Role role;
  private @Nullable Session session;
  private boolean closed;

  KeptSession(SqliteFile file, Role role) {
    this.file = file;
    this.role = role;
  }

  Session open() throws SQLException {
    if (closed) throw new SQLException("the database is closed");
    var open = session;
    if (open == null) session = open = file.open(role);
    return open;
  }

  /// To be called after every use.
  void giveUpIfDoubtful() {
    if (session != null && session.isDoubtful()) giveUp();
  }

  /// Undoes what was begun and not committed, if anything was.
  void rollBack() {
    if (session == null) return;
    try {
      session.update("rollback");
    } catch (SQLException _) {
      giveUp(); // SQLite has rolled back by itself, or the connection is beyond repair
    }
  }

  private void giveUp() {
    var given = session;
    session = null;
    if (given == null) return;
    try {
      given.close();
    } catch (SQLException _) {
      // nothing depends on it: what was committed is in the log
    }
  }

  @Override
  public void close() {
    closed = true;
    giveUp();
  }
}
