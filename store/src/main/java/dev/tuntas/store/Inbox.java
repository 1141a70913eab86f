package dev.tuntas.store;

import dev.tuntas.engine.InboxItem;
import dev.tuntas.engine.SagaStore.Put;
import dev.tuntas.saga.Signal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What was said to sagas.
final class Inbox {

  private static final String PUT =
      """
      insert into tuntas_signal (saga_id, source, external_id, name, body, at)
      values (?, ?, ?, ?, ?, ?) on conflict (source, external_id) do nothing
      """;

  private static final String SAID_BEFORE =
      """
      select saga_id, source, external_id, name, body
        from tuntas_signal where source = ? and external_id = ?
      """;

  /// `cross join` makes SQLite begin with the few unapplied rows, not with all running sagas.
  private static final String PENDING =
      """
      select g.saga_id, g.source, g.external_id, g.name, g.body, g.pos
        from tuntas_signal g cross join tuntas_saga s
       where s.id = g.saga_id and g.applied_at is null and s.owner = ?
       order by g.pos limit ?
      """;

  private static final String VERDICT =
      "select verdict from tuntas_signal where source = ? and external_id = ?";

  private static final String PURGE =
      """
      delete from tuntas_signal where pos in (
        select g.pos from tuntas_signal g
         where g.at < ? and not exists (select 1 from tuntas_saga s where s.id = g.saga_id)
         order by g.at limit ?)
      """;

  private final Database database;

  Inbox(Database database) {
    this.database = database;
  }

  Put put(String sagaId, Signal signal, Instant at) {
    return database.write(
        "put signal " + signal.externalId() + " for saga " + sagaId,
        session -> put(session, sagaId, signal, at));
  }

  /// The same in a transaction of the caller's.
  static Put put(Session session, String sagaId, Signal signal, Instant at) throws SQLException {
    int added =
        session.update(
            PUT, sagaId, signal.source(), signal.externalId(), signal.name(), signal.body(), at);
    if (added == 1) return Put.NEW;
    var item = new InboxItem(0, sagaId, signal);
    return session
            .first(
                SAID_BEFORE, row -> item(row, 0).equals(item), signal.source(), signal.externalId())
            .orElse(true)
        ? Put.KNOWN
        : Put.CONFLICT;
  }

  List<InboxItem> pending(int node, int limit) {
    return database.read(
        "read what was said to sagas of node " + node,
        session -> session.list(PENDING, row -> item(row, row.getLong(6)), node, limit));
  }

  private static InboxItem item(ResultSet row, long pos) throws SQLException {
    var signal = new Signal(row.getString(2), row.getString(3), row.getString(4), row.getString(5));
    return new InboxItem(pos, row.getString(1), signal);
  }

  Optional<String> verdict(String source, String externalId) {
    return database.read(
        "read the verdict on " + externalId,
        session -> session.first(VERDICT, row -> row.getString(1), source, externalId));
  }

  int purge(Instant before, int limit) {
    return database.write("purge the inbox", session -> session.update(PURGE, before, limit));
  }
}
