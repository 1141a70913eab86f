package dev.tuntas.testkit;

import dev.tuntas.engine.HistoryLine;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.engine.Write;
import dev.tuntas.saga.Notice;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes what belongs together to all tables of a memory store, or to none.
final class Writer {

  private final SagaTable sagas;
  private final HistoryTable history;
  private final InboxTable inbox;
  private final OutboxTable outbox;

  Writer(SagaTable sagas, HistoryTable history, InboxTable inbox, OutboxTable outbox) {
    this.sagas = sagas;
    this.history = history;
    this.inbox = inbox;
    this.outbox = outbox;
  }

  BitSet commit(int node, List<? extends Write> batch) {
    check(batch);
    var written = new BitSet(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      written.set(
          i,
          switch (batch.get(i)) {
            case Write.Insert insert -> insert(node, insert);
            case Write.Move move -> move(node, move);
          });
    }
    return written;
  }

  List<SagaRow> claim(int node, List<SagaRow> free) {
    var claimed = new ArrayList<SagaRow>(free.size());
    for (var row : free) claimed.add(own(Rows.owned(row, node, row.crashes())));
    return claimed;
  }

  List<SagaRow> takeOver(int node, List<SagaRow> abandoned) {
    var taken = new ArrayList<SagaRow>(abandoned.size());
    for (var row : abandoned) taken.add(own(Rows.owned(row, node, row.crashes() + 1)));
    return taken;
  }

  void delete(SagaRow row) {
    sagas.remove(row);
    history.remove(row.id());
    inbox.removeSaga(row.id());
  }

  /// Refuses a batch before anything of it is written.
  private static void check(List<? extends Write> batch) {
    var ids = HashSet.<String>newHashSet(batch.size());
    for (var entry : batch) {
      if (!ids.add(entry.id())) {
        throw new IllegalArgumentException("saga " + entry.id() + " is twice in one batch");
      }
      switch (entry) {
        case Write.Insert insert -> {
          Rows.check(insert.id(), insert.status(), insert.dueAt());
          checkText(insert.id(), insert.data());
        }
        case Write.Move move -> {
          Rows.check(move.id(), move.status(), move.dueAt());
          checkText(move.id(), move.data());
        }
      }
    }
  }

  /// No database takes a NUL.
  private static void checkText(String id, @Nullable String data) {
    if (data != null && data.indexOf('\0') >= 0) {
      throw new StoreException(Kind.BAD_DATA, "the data of saga " + id + " holds a NUL", null);
    }
  }

  private boolean insert(int node, Write.Insert saga) {
    if (sagas.get(saga.id()) != null) return false;
    var row = own(Rows.inserted(node, saga));
    note(row, node, saga.what(), saga.notices());
    return true;
  }

  private boolean move(int node, Write.Move move) {
    var before = sagas.get(move.id());
    if (before == null || !isAllowed(before, node, move)) return false;
    var row = Rows.moved(before, move);
    sagas.put(row);
    for (var applied : move.applied()) inbox.apply(move.id(), applied.pos(), applied.verdict());
    if (row.owner() == null) inbox.follow(row);
    note(row, node, move.what(), move.notices());
    return true;
  }

  private static boolean isAllowed(SagaRow row, int node, Write.Move move) {
    var owner = row.owner();
    return owner != null && owner == node && row.version() == move.version();
  }

  private SagaRow own(SagaRow row) {
    sagas.put(row);
    inbox.follow(row);
    return row;
  }

  private void note(SagaRow row, int node, String what, List<Notice> notices) {
    history.add(new HistoryLine(row.id(), row.version(), row.movedAt(), node, what));
    outbox.add(row, notices);
  }
}
