package dev.tuntas.store;

import dev.tuntas.engine.Status;
import dev.tuntas.engine.Write;
import java.sql.SQLException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A batch on SQLite: a few small statements per entry, prepared once.
final class SqliteBatches implements Batches {

  /// So many sagas' numbers are remembered: more than run at a time.
  private static final int NUMBERS_MAX = 50_000;

  static final String INSERT =
      """
      insert into tuntas_saga (no, id, kind, version, status, owner, lane, due_at, deadline,
                               created_at, moved_at, ended_at, progress, data, lines)
      values (?1, ?2, ?3, 1, ?4, ?5, ?6, ?7, ?8, ?9, ?9, ?10, ?11, ?12, ?13)
      on conflict (id) do nothing
      """;

  private static final String LAST_NUMBER = "select coalesce(max(no), 0) from tuntas_saga";

  private static final String NUMBER = "select no from tuntas_saga where id = ?";

  private static final String COPY_LINES =
      """
      insert into tuntas_history (saga_no, version, at, node, what)
      select saga_no, version, at, node, what from tuntas_lines where saga_no = ?
      """;

  private static final String CLEAR_LINES = "update tuntas_saga set lines = '' where no = ?";

  /// A step of a saga that runs on. It names no column that has an index: SQLite would write the
  /// entries of every index it names anew.
  static final String RUN_ON =
      """
      update tuntas_saga
         set version = version + 1, moved_at = ?, crashes = crashes * ?, progress = ?,
             data = coalesce(?, data), lines = lines || ?
       where no = ? and id = ? and version = ? and owner = ?
      """;

  static final String STOP =
      """
      update tuntas_saga
         set version = version + 1, status = ?, owner = null, lane = ?, due_at = ?,
             deadline = coalesce(?, deadline), ended_at = ?, moved_at = ?, crashes = crashes * ?, progress = ?, data = coalesce(?, data),
             lines = lines || ?
       where no = ? and id = ? and version = ? and owner = ?
      """;

  static final String NOTICE =
      """
      insert into tuntas_outbox (saga_id, version, seq, type, body, at)
      values (?, ?, ?, ?, ?, ?)
      """;

  private static final String APPLIED =
      """
      update tuntas_signal set applied_at = ?, verdict = ?
       where pos = ? and saga_id = ? and applied_at is null
      """;

  /// The rows of sagas in motion, so that they need not be looked up by their id each time. It may
  /// be wrong: every statement that uses a number compares the id too. Guarded, like the rest, by
  /// there being one writer.
  private final Map<String, Long> numbers = new HashMap<>();

  private long lastNumber;

  @Override
  public BitSet write(Session session, int node, List<Write> batch, boolean joined)
      throws SQLException {
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
    long no = nextNumber(session);
    int inserted =
        session.update(
            INSERT,
            no,
            saga.id(),
            saga.kind(),
            code(saga.status()),
            saga.status() == Status.RUNNING ? node : null,
            saga.lane(),
            saga.dueAt(),
            saga.deadline(),
            saga.at(),
            saga.status().isEnd() ? saga.at() : null,
            saga.progress(),
            saga.data(),
            RowLine.of(saga, node));
    if (inserted == 0) return false;
    announce(session, saga);
    if (saga.status() == Status.RUNNING) remember(saga.id(), no);
    return true;
  }

  private long nextNumber(Session session) throws SQLException {
    if (lastNumber == 0) {
      lastNumber = session.first(LAST_NUMBER, row -> row.getLong(1)).orElseThrow();
    }
    return ++lastNumber;
  }

  private boolean move(Session session, int node, Write.Move saga) throws SQLException {
    var no = number(session, saga.id());
    if (no == null) return false;
    boolean runsOn = saga.status() == Status.RUNNING && saga.dueAt() == null;
    int moved = runsOn ? runOn(session, no, node, saga) : stop(session, no, node, saga);
    if (moved == 0 || !runsOn) numbers.remove(saga.id());
    if (moved == 0) return false;
    if (RowLine.areMany(saga.makesVersion())) moveLines(session, no);
    announce(session, saga);
    for (var applied : saga.applied()) {
      session.update(APPLIED, saga.at(), applied.verdict(), applied.pos(), saga.id());
    }
    return true;
  }

  private @Nullable Long number(Session session, String id) throws SQLException {
    var known = numbers.get(id);
    if (known != null) return known;
    var found = session.first(NUMBER, row -> row.getLong(1), id).orElse(null);
    if (found != null) remember(id, found);
    return found;
  }

  private void remember(String id, long no) {
    if (numbers.size() >= NUMBERS_MAX) numbers.clear();
    numbers.put(id, no);
  }

  private static int runOn(Session session, long no, int node, Write.Move saga)
      throws SQLException {
    return session.update(
        RUN_ON,
        saga.at(),
        kept(saga),
        saga.progress(),
        saga.data(),
        RowLine.of(saga, node),
        no,
        saga.id(),
        saga.version(),
        node);
  }

  private static int stop(Session session, long no, int node, Write.Move saga) throws SQLException {
    return session.update(
        STOP,
        code(saga.status()),
        saga.lane(),
        saga.dueAt(),
        saga.deadline(),
        saga.status().isEnd() ? saga.at() : null,
        saga.at(),
        kept(saga),
        saga.progress(),
        saga.data(),
        RowLine.of(saga, node),
        no,
        saga.id(),
        saga.version(),
        node);
  }

  /// What the count of crashes is multiplied by.
  private static int kept(Write.Move saga) {
    return saga.keepsCrashes() ? 1 : 0;
  }

  private static void moveLines(Session session, long no) throws SQLException {
    session.update(COPY_LINES, no);
    session.update(CLEAR_LINES, no);
  }

  private static void announce(Session session, Write entry) throws SQLException {
    long version = entry.makesVersion();
    for (int seq = 0; seq < entry.notices().size(); seq++) {
      var notice = entry.notices().get(seq);
      session.update(NOTICE, entry.id(), version, seq, notice.type(), notice.body(), entry.at());
    }
  }

  private static String code(Status status) {
    return String.valueOf(status.code());
  }
}
