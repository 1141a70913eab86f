package dev.tuntas.store;

import dev.tuntas.engine.ConsumerInbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;

/// What consumers have seen, in the database of their own work.
final class JdbcConsumerInbox implements ConsumerInbox {

  private static final String NOTE =
      """
      insert into tuntas_consumer_inbox (consumer, event_id, at) values (?, ?, ?)
      on conflict do nothing
      """;

  private static final String PURGE =
      """
      delete from tuntas_consumer_inbox where (consumer, event_id) in (
        select consumer, event_id from tuntas_consumer_inbox where at < ? order by at limit ?)
      """;

  private final Database database;

  JdbcConsumerInbox(Database database) {
    this.database = database;
  }

  @Override
  public boolean firstTime(Connection callers, String consumer, String eventId, Instant at) {
    try (var session = Session.lent(callers, database.dialect())) {
      return session.update(NOTE, consumer, eventId, at) == 1;
    } catch (SQLException e) {
      throw database.failure(
          "note event " + eventId + " for " + consumer, Database.Stage.COMMIT, e);
    }
  }

  @Override
  public int purge(Instant before, int limit) {
    return database.write(
        "purge notes of consumers", session -> session.update(PURGE, before, limit));
  }
}
