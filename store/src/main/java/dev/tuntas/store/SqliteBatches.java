package dev.tuntas.store;

import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Notice;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A batch on SQLite: a few small statements per entry, prepared once.
final class SqliteBatches implements Batches {

  private static final String INSERT =
      """
      insert into tuntas_saga (id, kind, version, status, owner, lane, due_at, deadline,
                               created_at, moved_at, ended_at, progress, data)
      values (?1, ?2, 1, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10, ?11)
      on conflict do nothing
      """;

  private static final String FIRST_LINE =
      "insert into tuntas_history (saga_no, version, at, node, what)"
          + " values (last_insert_rowid(), 1, ?, ?, ?)";

  /// A step of a saga that runs on. It names no column that has an index: SQLite would write the
  /// entries of every index it names anew.
  private static final String RUN_ON =
      """
      update tuntas_saga
         set version = version + 1, moved_at = ?, crashes = 0, progress = ?,
             data = coalesce(?, data)
       where id = ? and version = ? and owner = ?
      """;

  private static final String STOP =
      """
      update tuntas_saga
         set version = version + 1, status = ?, owner = null, lane = ?, due_at = ?, ended_at = ?,
             moved_at = ?, crashes = 0, progress = ?, data = coalesce(?, data)
       where id = ? and version = ? and owner = ?
      """;

  private static final String NEXT_LINE =
      """
      insert into tuntas_history (saga_no, version, at, node, what)
      select no, ?, ?, ?, ? from tuntas_saga where id = ?
      """;

  private static final String NOTICE =
      """
      insert into tuntas_outbox (saga_id, version, seq, type, body, at)
      values (?, ?, ?, ?, ?, ?)
      """;

  private static final String APPLIED =
      """
      update tuntas_signal set applied_at = ?, verdict = ?
       where pos = ? and saga_id = ? and applied_at is null
      """;

  @Override
  public BitSet write(Session session, int node, List<Write> batch) throws SQLException {
    var written = new BitSet(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      boolean allowed =
          switch (batch.get(i)) {
            case Write.Insert insert -> insert(session, node, insert);
            case Write.Move move -> move(session, node, move);
          };
      written.set(i, allowed);
    }
    return written;
  }

  @Override
  public boolean insert(Session session, int node, Write.Insert saga) throws SQLException {
    var statement = session.prepare(INSERT);
    statement.setString(1, saga.id());
    statement.setInt(2, saga.kind());
    statement.setString(3, code(saga.status()));
    bindOwner(statement, 4, node, saga.status());
    statement.setInt(5, saga.lane());
    bindTime(statement, 6, saga.dueAt());
    statement.setLong(7, saga.deadline().toEpochMilli());
    statement.setLong(8, saga.at().toEpochMilli());
    bindTime(statement, 9, saga.status().isEnd() ? saga.at() : null);
    statement.setString(10, saga.progress());
    statement.setString(11, saga.data());
    if (statement.executeUpdate() == 0) return false;
    session.update(FIRST_LINE, saga.at(), node, saga.what());
    announce(session, saga, saga.notices(), saga.at());
    return true;
  }

  private static boolean move(Session session, int node, Write.Move saga) throws SQLException {
    boolean runsOn = saga.status() == Status.RUNNING && saga.dueAt() == null;
    int moved = runsOn ? runOn(session, node, saga) : stop(session, node, saga);
    if (moved == 0) return false;
    session.update(NEXT_LINE, saga.makesVersion(), saga.at(), node, saga.what(), saga.id());
    announce(session, saga, saga.notices(), saga.at());
    for (var applied : saga.applied()) {
      session.update(APPLIED, saga.at(), applied.verdict(), applied.pos(), saga.id());
    }
    return true;
  }

  private static int runOn(Session session, int node, Write.Move saga) throws SQLException {
    return session.update(
        RUN_ON, saga.at(), saga.progress(), saga.data(), saga.id(), saga.version(), node);
  }

  private static int stop(Session session, int node, Write.Move saga) throws SQLException {
    return session.update(
        STOP,
        code(saga.status()),
        saga.lane(),
        saga.dueAt(),
        saga.status().isEnd() ? saga.at() : null,
        saga.at(),
        saga.progress(),
        saga.data(),
        saga.id(),
        saga.version(),
        node);
  }

  private static void announce(Session session, Write entry, List<Notice> notices, Instant at)
      throws SQLException {
    for (int seq = 0; seq < notices.size(); seq++) {
      var notice = notices.get(seq);
      session.update(
          NOTICE, entry.id(), entry.makesVersion(), seq, notice.type(), notice.body(), at);
    }
  }

  private static String code(Status status) {
    return String.valueOf(status.code());
  }

  private static void bindOwner(PreparedStatement statement, int index, int node, Status status)
      throws SQLException {
    if (status == Status.RUNNING) statement.setInt(index, node);
    else statement.setNull(index, Types.INTEGER);
  }

  private static void bindTime(PreparedStatement statement, int index, @Nullable Instant time)
      throws SQLException {
    if (time == null) statement.setNull(index, Types.BIGINT);
    else statement.setLong(index, time.toEpochMilli());
  }
}
