package dev.tuntas.bench;

import dev.tuntas.bench.Contender.Cost;
import dev.tuntas.bench.PostgresServer.Schema;
import java.sql.SQLException;

/// Counts what was written to a schema by the server's own statistics. Connections report to these
/// with a delay, and at the latest when they are closed. Transactions that only read are counted as
/// commits too, because the server does so.
final class PostgresCost {

  private static final String READ =
      """
      select (select xact_commit from pg_stat_database where datname = current_database()),
             (select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)
                from pg_stat_user_tables where schemaname = ?)
      """;

  private final Schema schema;
  private final Cost before;

  PostgresCost(Schema schema) throws SQLException {
    this.schema = schema;
    this.before = read();
  }

  Cost since() throws SQLException {
    var now = read();
    return new Cost(now.commits() - before.commits(), now.rows() - before.rows());
  }

  private Cost read() throws SQLException {
    try (var connection = schema.connect();
        var statement = connection.prepareStatement(READ)) {
      statement.setString(1, schema.name());
      try (var row = statement.executeQuery()) {
        row.next();
        return new Cost(row.getLong(1), row.getLong(2));
      }
    }
  }
}
