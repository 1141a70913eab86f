package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import dev.tuntas.store.Database.Stage;
import dev.tuntas.store.Tables.Work;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Transactions of many threads that share commits, because a commit waits for the disk: whatever
/// came during the last one goes into the next. Each keeps its own fate: what fails is rolled back
/// alone, and nothing is answered before the disk has it.
///
/// There is no thread for it: one of those that wait does the work of all.
final class SharedCommits {

  private static final int BATCH_MAX = 256;

  private final Database database;
  private final Queue<Job<?>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean busy = new AtomicBoolean();
  private volatile @Nullable Thread leader;

  SharedCommits(Database database) {
    this.database = database;
  }

  <T> T write(String attempted, Work<T> work) {
    if (Thread.currentThread().equals(leader)) {
      throw new IllegalStateException(attempted + ": not from inside another transaction");
    }
    var job = new Job<>(attempted, work);
    queue.add(job);
    if (busy.compareAndSet(false, true)) lead(job);
    return job.await();
  }

  /// Writes until its own job is done, and then lets another lead.
  private void lead(Job<?> own) {
    leader = Thread.currentThread();
    try {
      while (!own.done) write(take());
    } finally {
      leader = null;
      handOver();
    }
  }

  private void handOver() {
    do {
      var next = queue.peek();
      if (next != null) {
        next.elect();
        return;
      }
      busy.set(false);
      // Who came before that was set has not led; who came after does.
    } while (!queue.isEmpty() && busy.compareAndSet(false, true));
  }

  private List<Job<?>> take() {
    var batch = new ArrayList<Job<?>>();
    while (batch.size() < BATCH_MAX) {
      var job = queue.poll();
      if (job == null) break;
      batch.add(job);
    }
    return batch;
  }

  private void write(List<Job<?>> batch) {
    var attempted = batch.size() == 1 ? batch.getFirst().attempted : "write for several";
    Throwable failure = new IllegalStateException("nothing was written");
    try {
      database.<List<Job<?>>, RuntimeException>transact(
          attempted,
          session -> {
            for (var job : batch) job.run(session);
            return batch;
          });
      failure = null;
    } catch (RuntimeException | Error e) {
      failure = e;
    } finally {
      for (var job : batch) job.settle(failure);
    }
  }

  /// What one thread wants to be done, and waits for.
  private final class Job<T> {
    private final String attempted;
    private final Work<T> work;
    private final Thread waiting = Thread.currentThread();
    private @Nullable T result;
    private @Nullable Throwable failure;
    private volatile boolean elected;
    private volatile boolean done;

    Job(String attempted, Work<T> work) {
      this.attempted = attempted;
      this.work = work;
    }

    void run(Session session) throws SQLException {
      session.update("savepoint job");
      try {
        result = work.run(session);
      } catch (SQLException e) {
        failure = database.failure(attempted, Stage.BEFORE_COMMIT, e);
        undo(session, e);
      } catch (RuntimeException | Error e) {
        failure = e;
        undo(session, e);
      }
      session.update("release job");
    }

    /// Some failures make SQLite roll back all of the transaction: then the others fail too.
    private void undo(Session session, Throwable cause) throws SQLException {
      try {
        session.update("rollback to job");
      } catch (SQLException e) {
        throw new SQLException("everything was rolled back: " + cause.getMessage(), e);
      }
    }

    void elect() {
      elected = true;
      LockSupport.unpark(waiting);
    }

    /// @param failed why the transaction failed, if it did
    void settle(@Nullable Throwable failed) {
      if (failure == null) failure = failed;
      done = true;
      LockSupport.unpark(waiting);
    }

    /// Waits without regard to interrupts: the work may be done already.
    T await() {
      boolean interrupted = false;
      while (!done) {
        if (elected) {
          elected = false;
          lead(this);
        } else {
          LockSupport.park(this);
          interrupted |= Thread.interrupted();
        }
      }
      if (interrupted) Thread.currentThread().interrupt();
      return outcome();
    }

    @SuppressWarnings("NullAway") // work that returns null is given null
    private T outcome() {
      return switch (failure) {
        case null -> result;
        case StoreException e -> throw new StoreException(e.kind(), e.getMessage(), e);
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        default -> throw new IllegalStateException(failure);
      };
    }
  }
}
