package dev.tuntas.bench.chaos;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/// What became of the messages that were to go out over the bus. All zero where there is none.
///
/// @param failed those that were too late to go out, and went nowhere
/// @param dead those that were given up on and wait for a person
record BusBook(long pending, long published, long failed, long dead) {

  private static final String THERE = "select to_regclass('bus_message') is not null";
  private static final String MESSAGES =
      """
      select count(*) filter (where status = 'PENDING'),
             count(*) filter (where status = 'PUBLISHED'),
             count(*) filter (where status = 'FAILED' and dead = 0),
             count(*) filter (where dead = 1)
        from bus_message
      """;

  static BusBook in(String database) throws SQLException {
    try (var connection = DriverManager.getConnection(database)) {
      return in(connection);
    }
  }

  static BusBook in(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      try (var there = statement.executeQuery(THERE)) {
        if (!there.next() || !there.getBoolean(1)) return new BusBook(0, 0, 0, 0);
      }
      try (var row = statement.executeQuery(MESSAGES)) {
        if (!row.next()) return new BusBook(0, 0, 0, 0);
        return new BusBook(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
      }
    }
  }
}
