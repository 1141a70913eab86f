package dev.tuntas.bench.chaos;

import java.sql.DriverManager;
import java.sql.SQLException;

/// What was taken from whom, noted by the database itself in the transaction that did it. A worker
/// that gives a saga away leaves it without an owner first, so none of that is in here.
final class Handovers {

  private static final String NOTE_ALL =
      """
      create table chaos_handover (
        saga_no bigint not null, version bigint not null, node int not null,
        was_dead boolean not null);
      create function chaos_note_handover() returns trigger language plpgsql as $$
        begin
          insert into chaos_handover
          select new.no, new.version, old.owner, dead from tuntas_node where id = old.owner;
          return null;
        end $$;
      create trigger chaos_handover after update on tuntas_saga
        for each row when (old.owner <> new.owner) execute function chaos_note_handover();
      """;

  private static final String FIGURES =
      """
      select (select count(*) from chaos_handover),
             (select count(*) from chaos_handover where not was_dead),
             (select count(*) from tuntas_story h
               where exists (select 1 from chaos_handover c
                              where c.saga_no = h.saga_no and c.node = h.node
                                and c.version < h.version))
      """;

  /// @param count how many sagas were taken over
  /// @param fromLiving those of them that were taken from somebody whom nobody had declared dead
  /// @param doubleRuns lines of the history by those from whom the saga had been taken by then. Who
  ///   was declared dead goes on under another number, so this one must not come back
  record Figures(long count, long fromLiving, long doubleRuns) {}

  private final String database;

  private Handovers(String database) {
    this.database = database;
  }

  /// From now on. The tables must be there.
  static Handovers noted(String database) throws SQLException {
    try (var connection = DriverManager.getConnection(database);
        var statement = connection.createStatement()) {
      statement.execute(NOTE_ALL);
    }
    return new Handovers(database);
  }

  Figures figures() throws SQLException {
    try (var connection = DriverManager.getConnection(database);
        var statement = connection.createStatement();
        var row = statement.executeQuery(FIGURES)) {
      row.next();
      return new Figures(row.getLong(1), row.getLong(2), row.getLong(3));
    }
  }
}
