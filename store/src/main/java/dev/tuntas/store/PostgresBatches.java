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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A batch on PostgreSQL: one statement, which is its own transaction. Notices and applied inbox
/// rows come from what the update and the insert return, so a refused entry leaves nothing. The
/// line of the history is in the saga's row.
///
/// To plan it costs more than to execute a small batch, so it is planned once and must not depend
/// on what the planner knows: `= any (array[...])` can be looked up in an index but neither hashed
/// nor merged, so that no plan reads a whole table, however small that seems; `(... in ...) is
/// true` is hashed, because it is no join; and `(...) is true` keeps the fence from being looked up
/// in the index of owners. Lists are unfolded side by side in a select: as a function in `from`,
/// each of them would be stored first.
final class PostgresBatches implements Batches {

  private static final Logger log = LoggerFactory.getLogger(PostgresBatches.class);

  private static final String MOVE =
      """
      with moved as (
        update tuntas_saga s
           set version = s.version + 1, status = v.status,
               owner = case when v.status = 'R' then s.owner end,
               lane = case when v.status = 'R' then s.lane else v.lane end,
               due_at = v.due_at, deadline = coalesce(v.deadline, s.deadline),
               ended_at = case when v.status in ('D', 'U') then v.at end, moved_at = v.at,
               crashes = case when v.keeps_crashes = 1 then s.crashes else 0 end,
               progress = v.progress, data = coalesce(v.data, s.data), lines = s.lines || v.line
          from (
            select generate_series(1, ?::int4) place, unnest(?::text[]) id, unnest(?::int8[]) "version",
                   unnest(?::text[]) status, unnest(?::int4[]) lane, unnest(?::int8[]) due_at,
                   unnest(?::int8[]) deadline, unnest(?::int8[]) at, unnest(?::text[]) progress,
                   unnest(?::text[]) "data", unnest(?::text[]) line,
                   unnest(?::int4[]) keeps_crashes) v
         where s.id = any (array[v.id]) and (s.version = v.version and s.owner = ?) is true
        returning v.place),
      """;

  private static final String FRESH =
      """
      select generate_series(-1, -?::int4, -1) place, unnest(?::text[]) id, unnest(?::int4[]) kind,
             unnest(?::text[]) status, unnest(?::int4[]) lane, unnest(?::int8[]) due_at,
             unnest(?::int8[]) deadline, unnest(?::int8[]) at, unnest(?::text[]) progress,
             unnest(?::text[]) "data", unnest(?::text[]) line, ?::int4 node
      """;

  private static final String INSERT_FRESH =
      """
      insert into tuntas_saga (id, kind, version, status, owner, lane, due_at, ended_at, deadline,
                               created_at, moved_at, progress, data, lines)
      select id, kind, 1, status, case when status = 'R' then node end, lane, due_at,
             case when status in ('D', 'U') then at end, deadline, at, at, progress, data, line
      """;

  /// An id that is known fails the statement, which is cheaper than to find out: the new ones need
  /// not be kept to tell which of them were written.
  private static final String OR_FAIL =
      MOVE
          + """
          inserted as (%s from (%s) fresh),
          written as (
            select place from moved
            union all
            select generate_series(-1, -?::int4, -1)),
          """
              .formatted(INSERT_FRESH, FRESH);

  private static final String OR_REFUSE =
      MOVE
          + """
          fresh as (%s),
          inserted as (%s from fresh on conflict do nothing returning id),
          written as (
            select place from moved
            union all
            select place from fresh where (id in (select id from inserted)) is true),
          """
              .formatted(FRESH, INSERT_FRESH);

  private static final String ANNOUNCE =
      """
      announced as (
        insert into tuntas_outbox (saga_id, version, seq, type, body, at)
        select id, version, seq, type, body, at from (
          select unnest(?::int4[]) place, unnest(?::int4[]) seq, unnest(?::text[]) id,
                 unnest(?::int8[]) "version", unnest(?::text[]) "type", unnest(?::text[]) body,
                 unnest(?::int8[]) at) n
         where (place in (select place from written)) is true)
      """;

  /// For batches that settle signals.
  private static final String APPLY =
      """
      , applied as (
        update tuntas_signal g set applied_at = d.at, verdict = d.verdict
          from (
            select unnest(?::int4[]) place, unnest(?::int8[]) pos, unnest(?::text[]) id,
                   unnest(?::int8[]) at, unnest(?::text[]) verdict) d
         where g.pos = any (array[d.pos]) and (g.saga_id = d.id and g.applied_at is null) is true
           and (d.place in (select place from written)) is true)
      """;

  /// Moves are counted from 1 upwards, inserts from -1 downwards. One row for all, because a row
  /// for each costs as much as one in a table.
  private static final String PLACES = "select array_agg(place) from written";

  /// Whatever a batch can be: it fails with an id that is known or refuses that alone, and it
  /// settles signals or does not.
  enum Form {
    PLAIN_OR_FAIL(OR_FAIL + ANNOUNCE + PLACES),
    FULL_OR_FAIL(OR_FAIL + ANNOUNCE + APPLY + PLACES),
    PLAIN_OR_REFUSE(OR_REFUSE + ANNOUNCE + PLACES),
    FULL_OR_REFUSE(OR_REFUSE + ANNOUNCE + APPLY + PLACES);

    final String sql;

    Form(String sql) {
      this.sql = sql;
    }

    boolean isOrFail() {
      return this == PLAIN_OR_FAIL || this == FULL_OR_FAIL;
    }

    boolean isFull() {
      return this == FULL_OR_FAIL || this == FULL_OR_REFUSE;
    }
  }

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
                                 created_at, moved_at, progress, data, lines)
        values (?, ?, 1, ?, ?::int4, ?, ?::int8, ?::int8, ?, ?, ?, ?, ?, ?)
        on conflict do nothing
        returning id, moved_at),
      announced as (
        insert into tuntas_outbox (saga_id, version, seq, type, body, at)
        select i.id, 1, n.seq - 1, n.type, n.body, i.moved_at
          from inserted i
          cross join unnest(?::text[], ?::text[]) with ordinality n (type, body, seq)
         order by n.seq)
      select id from inserted
      """;

  private static final String MOVE_LINES =
      """
      with full_ones as materialized (
        select s.no, s.id, s.lines from tuntas_saga s
         where s.id = any (?) order by s.id for update),
      moved as (
        insert into tuntas_history (saga_no, version, at, node, what)
        select f.no, l.version, l.at, l.node, l.what
          from full_ones f cross join lateral tuntas_lines(f.id, f.lines) l)
      update tuntas_saga s set lines = '' from full_ones f where s.id = f.id
      """;

  /// An entry, and where it was in the batch.
  private record Placed<W extends Write>(int inBatch, W write) {}

  private record Announced(int place, int seq, Write by, Notice notice) {}

  private record Applied(int place, Write by, Write.Applied row) {}

  @Override
  public BitSet write(Session session, int node, List<Write> batch, boolean joined)
      throws SQLException {
    var written = writeEntries(session, node, batch, joined);
    if (!joined) moveLines(session, batch, written);
    return written;
  }

  /// What it cannot do now is done a few lines later: the batch is committed and must not seem to
  /// have failed.
  private static void moveLines(Session session, List<Write> batch, BitSet written) {
    var full = new ArrayList<String>();
    for (int i = 0; i < batch.size(); i++) {
      var entry = batch.get(i);
      if (written.get(i) && RowLine.areMany(entry.makesVersion())) full.add(entry.id());
    }
    if (full.isEmpty()) return;
    try {
      session.update(MOVE_LINES, full);
    } catch (SQLException e) {
      log.debug("{} sagas keep their lines of history for now", full.size(), e);
    }
  }

  private BitSet writeEntries(Session session, int node, List<Write> batch, boolean joined)
      throws SQLException {
    var columns = Columns.of(batch);
    if (!joined && System.nanoTime() - waryUntil > 0) {
      try {
        return write(session, columns.formOrFail(), node, columns);
      } catch (SQLException e) {
        if (!UNIQUE_VIOLATION.equals(e.getSQLState())) throw e;
        waryUntil = System.nanoTime() + WARY.toNanos();
      }
    }
    return write(session, columns.formOrRefuse(), node, columns);
  }

  private static BitSet write(Session session, Form form, int node, Columns columns)
      throws SQLException {
    return session.with(
        form.sql,
        statement -> {
          columns.bind(new ColumnBinder(statement), node, form);
          var written = new BitSet();
          try (var row = statement.executeQuery()) {
            if (row.next()) columns.mark(row.getArray(1), written);
          }
          return written;
        });
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
            RowLine.of(saga, node),
            saga.notices().stream().map(Notice::type).toList(),
            saga.notices().stream().map(Notice::body).toList());
    return id.isPresent();
  }

  /// The entries of a batch, sorted by id, so that two batches never wait for each other in a
  /// circle.
  private record Columns(
      List<Placed<Write.Move>> moves,
      List<Placed<Write.Insert>> inserts,
      List<Announced> announced,
      List<Applied> applied) {

    static Columns of(List<Write> batch) {
      var columns =
          new Columns(
              new ArrayList<>(batch.size()),
              new ArrayList<>(),
              new ArrayList<>(),
              new ArrayList<>());
      for (int i = 0; i < batch.size(); i++) columns.add(i, batch.get(i));
      columns.moves.sort(Comparator.comparing(move -> move.write().id()));
      columns.inserts.sort(Comparator.comparing(insert -> insert.write().id()));
      columns.addRest();
      return columns;
    }

    private void add(int inBatch, Write entry) {
      switch (entry) {
        case Write.Insert insert -> inserts.add(new Placed<>(inBatch, insert));
        case Write.Move move -> moves.add(new Placed<>(inBatch, move));
      }
    }

    private void addRest() {
      for (int i = 0; i < moves.size(); i++) {
        var move = moves.get(i).write();
        announce(i + 1, move);
        for (var row : move.applied()) applied.add(new Applied(i + 1, move, row));
      }
      for (int i = 0; i < inserts.size(); i++) announce(-i - 1, inserts.get(i).write());
    }

    private void announce(int place, Write entry) {
      for (int seq = 0; seq < entry.notices().size(); seq++) {
        announced.add(new Announced(place, seq, entry, entry.notices().get(seq)));
      }
    }

    void mark(@Nullable Array places, BitSet written) throws SQLException {
      if (places == null) return;
      for (int place : (Integer[]) places.getArray()) {
        int index = Math.abs(place) - 1;
        written.set((place > 0 ? moves : inserts).get(index).inBatch());
      }
    }

    Form formOrFail() {
      return applied.isEmpty() ? Form.PLAIN_OR_FAIL : Form.FULL_OR_FAIL;
    }

    Form formOrRefuse() {
      return applied.isEmpty() ? Form.PLAIN_OR_REFUSE : Form.FULL_OR_REFUSE;
    }

    void bind(ColumnBinder binder, int node, Form form) throws SQLException {
      bindMoves(binder, node);
      bindInserts(binder, node);
      if (form.isOrFail()) binder.number(inserts.size());
      bindAnnounced(binder);
      if (form.isFull()) bindApplied(binder);
    }

    private void bindMoves(ColumnBinder binder, int node) throws SQLException {
      binder.number(moves.size());
      binder.texts(moves, move -> move.write().id());
      binder.longs(moves, move -> move.write().version());
      binder.texts(moves, move -> code(move.write().status()));
      binder.ints(moves, move -> move.write().lane());
      binder.times(moves, move -> move.write().dueAt());
      binder.times(moves, move -> move.write().deadline());
      binder.times(moves, move -> move.write().at());
      binder.texts(moves, move -> move.write().progress());
      binder.texts(moves, move -> move.write().data());
      binder.texts(moves, move -> RowLine.of(move.write(), node));
      binder.ints(moves, move -> move.write().keepsCrashes() ? 1 : 0);
      binder.number(node);
    }

    private void bindInserts(ColumnBinder binder, int node) throws SQLException {
      binder.number(inserts.size());
      binder.texts(inserts, insert -> insert.write().id());
      binder.ints(inserts, insert -> insert.write().kind());
      binder.texts(inserts, insert -> code(insert.write().status()));
      binder.ints(inserts, insert -> insert.write().lane());
      binder.times(inserts, insert -> insert.write().dueAt());
      binder.times(inserts, insert -> insert.write().deadline());
      binder.times(inserts, insert -> insert.write().at());
      binder.texts(inserts, insert -> insert.write().progress());
      binder.texts(inserts, insert -> insert.write().data());
      binder.texts(inserts, insert -> RowLine.of(insert.write(), node));
      binder.number(node);
    }

    private void bindAnnounced(ColumnBinder binder) throws SQLException {
      binder.ints(announced, Announced::place);
      binder.ints(announced, Announced::seq);
      binder.texts(announced, entry -> entry.by().id());
      binder.longs(announced, entry -> entry.by().makesVersion());
      binder.texts(announced, entry -> entry.notice().type());
      binder.texts(announced, entry -> entry.notice().body());
      binder.times(announced, entry -> entry.by().at());
    }

    private void bindApplied(ColumnBinder binder) throws SQLException {
      binder.ints(applied, Applied::place);
      binder.longs(applied, settled -> settled.row().pos());
      binder.texts(applied, settled -> settled.by().id());
      binder.times(applied, settled -> settled.by().at());
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
