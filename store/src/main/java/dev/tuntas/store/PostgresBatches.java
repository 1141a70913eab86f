package dev.tuntas.store;

import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Notice;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;

/// A batch on PostgreSQL: one statement, which is its own transaction. History, notices and applied
/// inbox rows come from what the update and the insert return, so a refused entry leaves nothing.
///
/// To plan it costs more than to execute a small batch, so it is planned once and must not depend
/// on what the planner knows: `= any (array[...])` can be looked up in an index but not hashed, and
/// `(...) is true` keeps the fence from being looked up in the index of owners.
final class PostgresBatches implements Batches {

  private static final String COMMIT =
      """
      with moved as (
        update tuntas_saga s
           set version = s.version + 1, status = v.status,
               owner = case when v.status = 'R' then s.owner end,
               lane = case when v.status = 'R' then s.lane else v.lane end,
               due_at = v.due_at, ended_at = v.ended_at, moved_at = v.at, crashes = 0,
               progress = v.progress, data = coalesce(v.data, s.data)
          from unnest(?::text[], ?::int8[], ?::text[], ?::int4[], ?::int8[], ?::int8[], ?::int8[],
                      ?::text[], ?::text[], ?::text[])
               v (id, version, status, lane, due_at, ended_at, at, progress, data, what)
         where s.id = any (array[v.id]) and (s.version = v.version and s.owner = ?) is true
        returning s.no, s.id, s.version, v.at, v.what),
      fresh as (
        select * from unnest(?::text[], ?::int4[], ?::text[], ?::int4[], ?::int8[], ?::int8[],
                             ?::int8[], ?::int8[], ?::text[], ?::text[], ?::text[])
               v (id, kind, status, lane, due_at, ended_at, deadline, at, progress, data, what)),
      inserted as (
        insert into tuntas_saga (id, kind, version, status, owner, lane, due_at, ended_at, deadline,
                                 created_at, moved_at, progress, data)
        select id, kind, 1, status, case when status = 'R' then ?::int4 end, lane, due_at, ended_at,
               deadline, at, at, progress, data
          from fresh
        on conflict do nothing
        returning no, id),
      written as (
        select no, id, version, at, what from moved
        union all
        select i.no, i.id, 1, f.at, f.what from inserted i join fresh f on f.id = i.id),
      noted as (
        insert into tuntas_history (saga_no, version, at, node, what)
        select no, version, at, ?, what from written),
      announced as (
        insert into tuntas_outbox (saga_id, version, seq, type, body, at)
        select w.id, w.version, n.seq, n.type, n.body, w.at
          from unnest(?::text[], ?::int4[], ?::text[], ?::text[]) n (id, seq, type, body)
          join written w on w.id = n.id
         order by w.id, n.seq),
      settled as materialized (
        select a.pos, w.id, w.at, a.verdict
          from unnest(?::int8[], ?::text[], ?::text[]) a (pos, id, verdict)
          join written w on w.id = a.id),
      applied as (
        update tuntas_signal g set applied_at = d.at, verdict = d.verdict
          from settled d
         where g.pos = any (array[d.pos]) and (g.saga_id = d.id and g.applied_at is null) is true)
      select id from written
      """;

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

  private record Announced(String id, int seq, Notice notice) {}

  private record Applied(String id, Write.Applied row) {}

  @Override
  public BitSet write(Session session, int node, List<Write> batch) throws SQLException {
    var statement = session.prepare(COMMIT);
    bind(new ColumnBinder(statement), node, batch);
    var ids = HashSet.<String>newHashSet(batch.size());
    try (var rows = statement.executeQuery()) {
      while (rows.next()) ids.add(rows.getString(1));
    }
    var written = new BitSet(batch.size());
    for (int i = 0; i < batch.size(); i++) written.set(i, ids.contains(batch.get(i).id()));
    return written;
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
            saga.status().isEnd() ? saga.at() : null,
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

  /// Sorted, so that two batches never wait for each other in a circle.
  private static void bind(ColumnBinder binder, int node, List<Write> batch) throws SQLException {
    var moves = new ArrayList<Write.Move>(batch.size());
    var inserts = new ArrayList<Write.Insert>();
    var notices = new ArrayList<Announced>();
    var applied = new ArrayList<Applied>();
    for (var entry : sorted(batch)) {
      switch (entry) {
        case Write.Insert insert -> {
          inserts.add(insert);
          collect(insert.id(), insert.notices(), notices);
        }
        case Write.Move move -> {
          moves.add(move);
          collect(move.id(), move.notices(), notices);
          for (var row : move.applied()) applied.add(new Applied(move.id(), row));
        }
      }
    }
    bindMoves(binder, node, moves);
    bindInserts(binder, node, inserts);
    binder.number(node);
    bindNotices(binder, notices);
    bindApplied(binder, applied);
  }

  private static List<Write> sorted(List<Write> batch) {
    var sorted = new ArrayList<>(batch);
    sorted.sort(Comparator.comparing(Write::id));
    return sorted;
  }

  private static void collect(String id, List<Notice> notices, List<Announced> into) {
    for (int seq = 0; seq < notices.size(); seq++) {
      into.add(new Announced(id, seq, notices.get(seq)));
    }
  }

  private static void bindMoves(ColumnBinder binder, int node, List<Write.Move> moves)
      throws SQLException {
    binder.texts(moves, Write.Move::id);
    binder.longs(moves, Write.Move::version);
    binder.texts(moves, move -> code(move.status()));
    binder.ints(moves, Write.Move::lane);
    binder.times(moves, Write.Move::dueAt);
    binder.times(moves, move -> move.status().isEnd() ? move.at() : null);
    binder.times(moves, Write.Move::at);
    binder.texts(moves, Write.Move::progress);
    binder.texts(moves, Write.Move::data);
    binder.texts(moves, Write.Move::what);
    binder.number(node);
  }

  private static void bindInserts(ColumnBinder binder, int node, List<Write.Insert> inserts)
      throws SQLException {
    binder.texts(inserts, Write.Insert::id);
    binder.ints(inserts, Write.Insert::kind);
    binder.texts(inserts, insert -> code(insert.status()));
    binder.ints(inserts, Write.Insert::lane);
    binder.times(inserts, Write.Insert::dueAt);
    binder.times(inserts, insert -> insert.status().isEnd() ? insert.at() : null);
    binder.times(inserts, Write.Insert::deadline);
    binder.times(inserts, Write.Insert::at);
    binder.texts(inserts, Write.Insert::progress);
    binder.texts(inserts, Write.Insert::data);
    binder.texts(inserts, Write.Insert::what);
    binder.number(node);
  }

  private static void bindNotices(ColumnBinder binder, List<Announced> notices)
      throws SQLException {
    binder.texts(notices, Announced::id);
    binder.ints(notices, Announced::seq);
    binder.texts(notices, announced -> announced.notice().type());
    binder.texts(notices, announced -> announced.notice().body());
  }

  private static void bindApplied(ColumnBinder binder, List<Applied> applied) throws SQLException {
    binder.longs(applied, settled -> settled.row().pos());
    binder.texts(applied, Applied::id);
    binder.texts(applied, settled -> settled.row().verdict());
  }

  private static String code(Status status) {
    return String.valueOf(status.code());
  }
}
