package dev.tuntas.store;

import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/// How a saga is read from its row.
final class SagaRows {

  static final String COLUMNS =
      "id, kind, version, status, owner, lane, due_at, deadline, crashes, progress, data,"
          + " created_at, moved_at";

  private SagaRows() {}

  static SagaRow read(ResultSet row) throws SQLException {
    int owner = row.getInt(5);
    boolean owned = !row.wasNull();
    return new SagaRow(
        row.getString(1),
        row.getInt(2),
        row.getLong(3),
        Status.of(row.getString(4).charAt(0)),
        owned ? owner : null,
        row.getInt(6),
        Session.time(row, 7),
        Instant.ofEpochMilli(row.getLong(8)),
        row.getInt(9),
        row.getString(10),
        row.getString(11),
        Instant.ofEpochMilli(row.getLong(12)),
        Instant.ofEpochMilli(row.getLong(13)));
  }
}
