package dev.tuntas.bench.faults;

import java.sql.DriverManager;
import java.sql.SQLException;

/// What somebody else says to a database.
final class Sql {

  private Sql() {}

  static void run(String url, String... statements) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement()) {
      for (var one : statements) statement.execute(one);
    }
  }

  /// The first column of the first row.
  static String ask(String url, String query) throws SQLException {
    try (var connection = DriverManager.getConnection(url);
        var statement = connection.createStatement();
        var row = statement.executeQuery(query)) {
      return row.next() ? String.valueOf(row.getString(1)) : "";
    }
  }

  /// Whether PostgreSQL lets anybody write.
  static void readOnly(String url, boolean on) throws SQLException {
    run(
        url,
        "alter system set default_transaction_read_only = " + (on ? "on" : "off"),
        "select pg_reload_conf()");
  }
}
