package dev.tuntas.bench;

import java.sql.Connection;
import java.sql.SQLException;

/// Opens connections to a contender's own tables.
@FunctionalInterface
interface Connector {
  Connection connect() throws SQLException;

  default void run(String... commands) throws SQLException {
    try (var connection = connect();
        var statement = connection.createStatement()) {
      for (var command : commands) statement.execute(command);
    }
  }
}
