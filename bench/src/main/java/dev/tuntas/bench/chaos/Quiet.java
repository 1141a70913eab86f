package dev.tuntas.bench.chaos;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/// Waits until nothing is on its way any more: no notice, no message to people or over the bus, no
/// saga that somebody runs.
final class Quiet {

  private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

  private static final List<String> ON_THEIR_WAY =
      List.of(
          "select count(*) from tuntas_outbox where not dead",
          "select count(*) from support_delivery where next_attempt_at is not null",
          "select count(*) from tuntas_saga where status = 'R'");

  private final String database;

  Quiet(String database) {
    this.database = database;
  }

  /// True if there is nothing left.
  boolean await(Duration atMost) throws InterruptedException, SQLException {
    long end = System.nanoTime() + atMost.toNanos();
    try (var connection = DriverManager.getConnection(database)) {
      while (!isQuiet(connection)) {
        if (System.nanoTime() > end) return false;
        Thread.sleep(LOOK_AGAIN);
      }
      return true;
    }
  }

  private static boolean isQuiet(Connection connection) throws SQLException {
    for (var query : ON_THEIR_WAY) {
      try (var statement = connection.createStatement();
          var row = statement.executeQuery(query)) {
        if (row.next() && row.getLong(1) > 0) return false;
      }
    }
    return BusBook.in(connection).pending() == 0;
  }
}
