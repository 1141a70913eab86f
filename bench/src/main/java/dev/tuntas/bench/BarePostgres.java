package dev.tuntas.bench;

import dev.tuntas.bench.BareGroupCommit.Bare;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Bare group commit on PostgreSQL: one statement for all, which is its own transaction.
final class BarePostgres implements BareGroupCommit.Writer {

  static final String TABLE =
      "create table bare_saga (id text collate \"C\" primary key, step int not null)"
          + " with (fillfactor = 70)";

  private static final String WRITE =
      """
      with fresh as (insert into bare_saga (id, step) select id, 0 from unnest(?::text[]) id)
      update bare_saga s set step = v.step
        from unnest(?::text[], ?::int4[]) v (id, step)
       where s.id = v.id
      """;

  private final Connection connection;
  private final PreparedStatement statement;

  BarePostgres(Connection connection) throws SQLException {
    this.connection = connection;
    try (var settings = connection.createStatement()) {
      // Without statistics the planner would choose a scan of the whole table.
      settings.execute("set enable_seqscan = off");
      settings.execute("set enable_hashjoin = off");
      settings.execute("set enable_mergejoin = off");
      settings.execute("set plan_cache_mode = force_generic_plan");
    }
    this.statement = connection.prepareStatement(WRITE);
  }

  @Override
  public void write(List<Bare> batch) throws SQLException {
    var sorted = new ArrayList<>(batch);
    sorted.sort(Comparator.comparing(saga -> saga.id));
    var fresh = new ArrayList<String>();
    var ids = new ArrayList<String>();
    var steps = new ArrayList<Integer>();
    for (var saga : sorted) {
      if (saga.step == 0) {
        fresh.add(saga.id);
      } else {
        ids.add(saga.id);
        steps.add(saga.step);
      }
    }
    statement.setArray(1, connection.createArrayOf("text", fresh.toArray()));
    statement.setArray(2, connection.createArrayOf("text", ids.toArray()));
    statement.setArray(3, connection.createArrayOf("int4", steps.toArray()));
    statement.executeUpdate();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
