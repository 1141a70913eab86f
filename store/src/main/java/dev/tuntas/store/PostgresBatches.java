package dev.tuntas.store;

import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Notice;
import java.sql.Array;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A batch on PostgreSQL: one statement, which is its own transaction. History, notices and applied
/// inbox rows come from what the update and the insert return, so a refused entry leaves nothing.
///
/// To plan it costs more than to execute a small batch, so it is planned once and must not depend
/// on what the planner knows: `= any (array[...])` can be looked up in an index but not hashed, and
/// `(...) is true` keeps the fence from being looked up in the index of owners.
final class PostgresBatches implements Batches {

  private static final String MOVE_AND_INSERT =
      """
      with moved as (
        update tuntas_saga s
           set version = s.version + 1, status = v.status,
               owner = case when v.status = 'R' then s.owner end,
               lane = case when v.status = 'R' then s.lane else v.lane end,
               due_at = v.due_at, ended_at = v.ended_at, moved_at = v.at,
               crashes = case when v.keeps_crashes = 1 then s.crashes else 0 end,
               progress = v.progress, data = coalesce(v.data, s.data)
          from unnest(?::int4[], ?::text[], ?::int8[], ?::text[], ?::int4[], ?::int8[], ?::int8[],
                      ?::int8[], ?::text[], ?::text[], ?::text[], ?::int4[], ?::text[], ?::text[])
               v (place, id, version, status, lane, due_at, ended_at, at, progress, data, what,
                  keeps_crashes, type, body)
         where s.id = any (array[v.id]) and (s.version = v.version and s.owner = ?) is true
        returning v.place, s.no, s.id, s.version, v.at, v.what, v.type, v.body),
      fresh as (
        select * from unnest(?::int4[], ?::text[], ?::int4[], ?::text[], ?::int4[], ?::int8[],
                             ?::int8[], ?::int8[], ?::int8[], ?::text[], ?::text[], ?::text[],
                             ?::text[], ?::text[])
               v (place, id, kind, status, lane, due_at, ended_at, deadline, at, progress, data,
                  what, type, body)),
      inserted as (
        insert into tuntas_saga (id, kind, version, status, owner, lane, due_at, ended_at, deadline,
                                 created_at, moved_at, progress, data)
        select id, kind, 1, status, case when status = 'R' then ?::int4 end, lane, due_at, ended_at,
               deadline, at, at, progress, data
          from fresh
      """;

  /// Without it an id that is known fails the statement, which is cheaper to find out.
  private static final String REFUSE_KNOWN = " on conflict do nothing ";

  private static final String NOTE =
      """
        returning no, id),
      written as (
        select place, no, id, version, at, what, type, body from moved
        union all
        select f.place, i.no, f.id, 1, f.at, f.what, f.type, f.body
          from inserted i join fresh f on f.id = i.id),
      noted as (
        insert into tuntas_history (saga_no, version, at, node, what)
        select no, version, at, ?, what from written),
      """;

  /// The rest of most batches: at most one notice per saga, and no signals.
  private static final String PLAIN =
      """
      announced as (
        insert into tuntas_outbox (saga_id, version, seq, type, body, at)
        select id, version, 0, type, body, at from written where type is not null)
      """;

  /// The rest of any batch.
  private static final String FULL =
      """
      announced as (
        insert into tuntas_outbox (saga_id, version, seq, type, body, at)
        select id, version, seq, type, body, at from (
          select place, 0 seq, id, version, type, body, at from written where type is not null
          union all
          select w.place, n.seq, w.id, w.version, n.type, n.body, w.at
            from unnest(?::int4[], ?::int4[], ?::text[], ?::text[]) n (place, seq, type, body)
            join written w on w.place = n.place) every
         order by place, seq),
      settled as materialized (
        select a.pos, w.id, w.at, a.verdict
          from unnest(?::int4[], ?::int8[], ?::text[]) a (place, pos, verdict)
          join written w on w.place = a.place),
      applied as (
        update tuntas_signal g set applied_at = d.at, verdict = d.verdict
          from settled d
         where g.pos = any (array[d.pos]) and (g.saga_id = d.id and g.applied_at is null) is true)
      """;

  /// One row for all, because a row for each costs as much as the lines of the history.
  private static final String PLACES = "select array_agg(place) from written";

  private static final String TRY_PLAIN = MOVE_AND_INSERT + NOTE + PLAIN + PLACES;
  private static final String TRY_FULL = MOVE_AND_INSERT + NOTE + FULL + PLACES;
  private static final String PLAIN_OR_REFUSE =
      MOVE_AND_INSERT + REFUSE_KNOWN + NOTE + PLAIN + PLACES;
  private static final String FULL_OR_REFUSE =
      MOVE_AND_INSERT + REFUSE_KNOWN + NOTE + FULL + PLACES;

  private static final String UNIQUE_VIOLATION = "23505";

  /// After an id that was known, more of them are expected for a while.
  private static final Duration WARY = Duration.ofSeconds(1);

  private volatile long waryUntil = System.nanoTime();

  /// The same for a single new saga: a third of the cost to plan, for connections that do it each
  /// time.
  private static final String INSERT =
      """
      with inserted as (
        insert into tuntas_saga (id, kind, version, status, owner, lane, due_at, ended_at, deadline,
                                 created_at, moved_at, progress, data)
        values (?, ?, 1, ?, ?::int4, ?, ?::int8, ?::int8, ?, ?, ?, ?, ?)
        on conflict do nothing
        returning no, id, moved_at),
      noted as (
        insert into tuntas_history (saga_no, version, at, node, what)
        select no, 1, moved_at, ?, ? from inserted),
      announced as (
        insert into tuntas_outbox (saga_id, version, seq, type, body, at)
        select i.id, 1, n.seq - 1, n.type, n.body, i.moved_at
          from inserted i
          cross join unnest(?::text[], ?::text[]) with ordinality n (type, body, seq)
         order by n.seq)
      select id from inserted
      """;

  /// An entry and its place in the batch.
  private record Placed<W extends Write>(int place, W write) {

    @Nullable String ofFirstNotice(Function<Notice, String> part) {
      return write.notices().isEmpty() ? null : part.apply(write.notices().getFirst());
    }
  }

  private record FurtherNotice(int place, int seq, Notice notice) {}

  private record Applied(int place, Write.Applied row) {}

  @Override
  public BitSet write(Session session, int node, List<Write> batch, boolean joined)
      throws SQLException {
    var columns = Columns.of(batch);
    if (!joined && System.nanoTime() - waryUntil > 0) {
      try {
        return write(session, columns.isPlain() ? TRY_PLAIN : TRY_FULL, node, columns);
      } catch (SQLException e) {
        if (!UNIQUE_VIOLATION.equals(e.getSQLState())) throw e;
        waryUntil = System.nanoTime() + WARY.toNanos();
      }
    }
    return write(session, columns.isPlain() ? PLAIN_OR_REFUSE : FULL_OR_REFUSE, node, columns);
  }

  private static BitSet write(Session session, String sql, int node, Columns columns)
      throws SQLException {
    var statement = session.prepare(sql);
    columns.bind(new ColumnBinder(statement), node);
    var written = new BitSet();
    try (var row = statement.executeQuery()) {
      if (row.next()) markPlaces(row.getArray(1), written);
    }
    return written;
  }

  private static void markPlaces(@Nullable Array places, BitSet written) throws SQLException {
    if (places == null) return;
    for (var place : (Integer[]) places.getArray()) written.set(place);
  }

  @Override
  public boolean insert(Session session, int node, Write.Insert saga) throws SQLException {
    var id =
        session.first(
            INSERT,
            row -> row.getString(1),
            saga.id(),
            saga.kind(),
            code(saga.status()),
            saga.status() == Status.RUNNING ? node : null,
            saga.lane(),
            saga.dueAt(),
            endedAt(saga),
            saga.deadline(),
            saga.at(),
            saga.at(),
            saga.progress(),
            saga.data(),
            node,
            saga.what(),
            saga.notices().stream().map(Notice::type).toList(),
            saga.notices().stream().map(Notice::body).toList());
    return id.isPresent();
  }

  /// The entries of a batch, sorted by id, so that two batches never wait for each other in a
  /// circle.
  private record Columns(
      List<Placed<Write.Move>> moves,
      List<Placed<Write.Insert>> inserts,
      List<FurtherNotice> further,
      List<Applied> applied) {

    static Columns of(List<Write> batch) {
      var columns =
          new Columns(
              new ArrayList<>(batch.size()),
              new ArrayList<>(),
              new ArrayList<>(),
              new ArrayList<>());
      for (int place = 0; place < batch.size(); place++) columns.add(place, batch.get(place));
      columns.moves.sort(Comparator.comparing(move -> move.write().id()));
      columns.inserts.sort(Comparator.comparing(insert -> insert.write().id()));
      return columns;
    }

    private void add(int place, Write entry) {
      switch (entry) {
        case Write.Insert insert -> inserts.add(new Placed<>(place, insert));
        case Write.Move move -> {
          moves.add(new Placed<>(place, move));
          for (var row : move.applied()) applied.add(new Applied(place, row));
        }
      }
      for (int seq = 1; seq < entry.notices().size(); seq++) {
        further.add(new FurtherNotice(place, seq, entry.notices().get(seq)));
      }
    }

    boolean isPlain() {
      return further.isEmpty() && applied.isEmpty();
    }

    void bind(ColumnBinder binder, int node) throws SQLException {
      bindMoves(binder);
      binder.number(node);
      bindInserts(binder);
      binder.number(node);
      binder.number(node);
      if (!isPlain()) bindRest(binder);
    }

    private void bindMoves(ColumnBinder binder) throws SQLException {
      binder.ints(moves, Placed::place);
      binder.texts(moves, move -> move.write().id());
      binder.longs(moves, move -> move.write().version());
      binder.texts(moves, move -> code(move.write().status()));
      binder.ints(moves, move -> move.write().lane());
      binder.times(moves, move -> move.write().dueAt());
      binder.times(moves, move -> endedAt(move.write()));
      binder.times(moves, move -> move.write().at());
      binder.texts(moves, move -> move.write().progress());
      binder.texts(moves, move -> move.write().data());
      binder.texts(moves, move -> move.write().what());
      binder.ints(moves, move -> move.write().keepsCrashes() ? 1 : 0);
      bindFirstNotices(binder, moves);
    }

    private void bindInserts(ColumnBinder binder) throws SQLException {
      binder.ints(inserts, Placed::place);
      binder.texts(inserts, insert -> insert.write().id());
      binder.ints(inserts, insert -> insert.write().kind());
      binder.texts(inserts, insert -> code(insert.write().status()));
      binder.ints(inserts, insert -> insert.write().lane());
      binder.times(inserts, insert -> insert.write().dueAt());
      binder.times(inserts, insert -> endedAt(insert.write()));
      binder.times(inserts, insert -> insert.write().deadline());
      binder.times(inserts, insert -> insert.write().at());
      binder.texts(inserts, insert -> insert.write().progress());
      binder.texts(inserts, insert -> insert.write().data());
      binder.texts(inserts, insert -> insert.write().what());
      bindFirstNotices(binder, inserts);
    }

    private static <W extends Write> void bindFirstNotices(
        ColumnBinder binder, List<Placed<W>> entries) throws SQLException {
      binder.texts(entries, entry -> entry.ofFirstNotice(Notice::type));
      binder.texts(entries, entry -> entry.ofFirstNotice(Notice::body));
    }

    private void bindRest(ColumnBinder binder) throws SQLException {
      binder.ints(further, FurtherNotice::place);
      binder.ints(further, FurtherNotice::seq);
      binder.texts(further, entry -> entry.notice().type());
      binder.texts(further, entry -> entry.notice().body());
      binder.ints(applied, Applied::place);
      binder.longs(applied, settled -> settled.row().pos());
      binder.texts(applied, settled -> settled.row().verdict());
    }
  }

  private static @Nullable Instant endedAt(Write entry) {
    return entry.status().isEnd() ? entry.at() : null;
  }

  private static String code(Status status) {
    return String.valueOf(status.code());
  }
}
