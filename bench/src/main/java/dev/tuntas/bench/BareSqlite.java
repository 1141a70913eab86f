package dev.tuntas.bench;

import dev.tuntas.bench.BareGroupCommit.Bare;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/// Bare group commit on SQLite: small statements in one transaction. Rows lie in the order of their
/// arrival, so that those in motion share pages.
final class BareSqlite implements BareGroupCommit.Writer {

  static final String TABLE =
      "create table bare_saga (no integer primary key, id text not null, step integer not null)";

  private final Connection connection;
  private final PreparedStatement insert;
  private final PreparedStatement update;

  BareSqlite(Connection connection) throws SQLException {
    this.connection = connection;
    connection.setAutoCommit(false);
    insert = connection.prepareStatement("insert into bare_saga (no, id, step) values (?, ?, 0)");
    update = connection.prepareStatement("update bare_saga set step = ? where no = ?");
  }

  @Override
  public void write(List<Bare> batch) throws SQLException {
    for (var saga : batch) {
      if (saga.step == 0) {
        insert.setLong(1, saga.number);
        insert.setString(2, saga.id);
        insert.executeUpdate();
      } else {
        update.setInt(1, saga.step);
        update.setLong(2, saga.number);
        update.executeUpdate();
      }
    }
    connection.commit();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
