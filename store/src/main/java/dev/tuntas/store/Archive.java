package dev.tuntas.store;

import dev.tuntas.engine.HistoryLine;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Looks at sagas, and forgets those that ended long ago.
final class Archive {

  private static final String FIND =
      "select " + SagaRows.COLUMNS + " from tuntas_saga where id = ?";

  private static final String HISTORY =
      """
      select saga_id, version, at, node, what from tuntas_story where saga_id = ? order by version
      """;

  private static final String WROTE =
      """
      select saga_id, version, at, what from tuntas_story where node = ? and saga_id = any (?)
      """;

  private static final String ENDED =
      "select id, status from tuntas_saga where ended_at is not null and id = any (?)";

  private static final String OVERDUE =
      "select "
          + SagaRows.COLUMNS
          + """
             from (
            select s.* from tuntas_lane l cross join tuntas_saga s
             where s.lane = l.id and s.due_at < ? order by s.due_at limit ?) waiting
           order by due_at
          """;

  /// Not those to which something was said that nobody has heard yet.
  private static final String LONG_ENDED =
      """
      select s.no, s.id from tuntas_saga s
       where s.ended_at < ?
         and not exists (
             select 1 from tuntas_signal g where g.saga_id = s.id and g.applied_at is null)
       order by s.ended_at limit ? for update of s skip locked
      """;

  private static final String DELETE_HISTORY = "delete from tuntas_history where saga_no = any (?)";

  private static final String DELETE_INBOX =
      "delete from tuntas_signal where saga_id = any (?) and applied_at is not null";

  private static final String DELETE_SAGAS = "delete from tuntas_saga where id = any (?)";

  private final Database database;

  Archive(Database database) {
    this.database = database;
  }

  Optional<SagaRow> find(String id) {
    return database.read("find saga " + id, session -> find(session, id));
  }

  /// The same in a transaction of the caller's.
  static Optional<SagaRow> find(Session session, String id) throws SQLException {
    return session.first(FIND, SagaRows::read, id);
  }

  List<HistoryLine> history(String id) {
    return database.read("read the history of saga " + id, session -> history(session, id));
  }

  /// The same in a transaction of the caller's.
  static List<HistoryLine> history(Session session, String id) throws SQLException {
    return session.list(
        HISTORY,
        row ->
            new HistoryLine(
                row.getString(1),
                row.getLong(2),
                Instant.ofEpochMilli(row.getLong(3)),
                row.getInt(4),
                row.getString(5)),
        id);
  }

  BitSet wrote(int node, List<Write> batch) {
    record Made(String id, long version, long at, String what) {}
    if (batch.isEmpty()) return new BitSet();
    var ids = batch.stream().map(Write::id).toList();
    var made =
        new HashSet<>(
            database.read(
                "look for committed entries",
                session ->
                    session.list(
                        WROTE,
                        row ->
                            new Made(
                                row.getString(1), row.getLong(2), row.getLong(3), row.getString(4)),
                        node,
                        ids)));
    var wrote = new BitSet(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      var entry = batch.get(i);
      long at = entry.at().toEpochMilli();
      wrote.set(i, made.contains(new Made(entry.id(), entry.makesVersion(), at, entry.what())));
    }
    return wrote;
  }

  Map<String, Status> ended(Collection<String> ids) {
    if (ids.isEmpty()) return Map.of();
    var ends = new HashMap<String, Status>();
    database.read(
        "look for ended sagas",
        session ->
            session.list(
                ENDED,
                row -> ends.put(row.getString(1), Status.of(row.getString(2).charAt(0))),
                ids));
    return ends;
  }

  List<SagaRow> overdue(Instant since, int limit) {
    return database.read(
        "look for overdue sagas", session -> session.list(OVERDUE, SagaRows::read, since, limit));
  }

  int purgeEnded(Instant before, int limit) {
    return database.transact("purge ended sagas", session -> purge(session, before, limit));
  }

  private static int purge(Session session, Instant before, int limit) throws SQLException {
    var numbers = new ArrayList<Long>();
    var ids =
        session.list(
            LONG_ENDED,
            row -> {
              numbers.add(row.getLong(1));
              return row.getString(2);
            },
            before,
            limit);
    if (ids.isEmpty()) return 0;
    session.update(DELETE_HISTORY, numbers);
    session.update(DELETE_INBOX, ids);
    return session.update(DELETE_SAGAS, ids);
  }
}
