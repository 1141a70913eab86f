package dev.tuntas.store;

import dev.tuntas.store.Checkpointer.Pages;
import java.sql.SQLException;

/// SQLite's write-ahead log, by way of a session that is replaced when it failed.
final class SqliteLog implements Checkpointer.Log {

  private final KeptSession session;

  SqliteLog(KeptSession session) {
    this.session = session;
  }

  @Override
  public void open() throws SQLException {
    session.open();
  }

  @Override
  public Pages checkpoint(String mode) throws SQLException {
    return session
        .open()
        .first(
            "pragma wal_checkpoint(" + mode + ")",
            row -> new Pages(row.getBoolean(1), row.getInt(2), row.getInt(3)))
        .orElseThrow();
  }

  @Override
  public void giveUpIfDoubtful() {
    session.giveUpIfDoubtful();
  }

  @Override
  public void close() {
    session.close();
  }
}
