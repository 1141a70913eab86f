package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.store.Database.Stage;
import dev.tuntas.store.Tables.Work;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Transactions of many threads that share commits, because a commit waits for the disk: whatever
/// came during the last one goes into the next. Each keeps its own fate: what fails is rolled back
/// alone, and nothing is answered before the disk has it.
///
/// They are run by threads of the platform: a virtual one would change hands at every statement, or
/// keep others from running.
final class SharedCommits implements AutoCloseable {

  /// The database below.
  interface Transactions {
    <T> T transact(String attempted, Work<T> work);

    StoreException failure(String attempted, SQLException cause);

    static Transactions of(Database database) {
      return new Transactions() {
        @Override
        public <T> T transact(String attempted, Work<T> work) {
          return database.<T, RuntimeException>transact(attempted, work::run);
        }

        @Override
        public StoreException failure(String attempted, SQLException cause) {
          return database.failure(attempted, Stage.BEFORE_COMMIT, cause);
        }
      };
    }
  }

  /// Somebody's work failed, and took that of the others with it.
  private static final class Spoilt extends RuntimeException {
    Spoilt() {
      super("spoilt by another", null, false, false);
    }
  }

  private static final int BATCH_MAX = 256;

  /// Where one has failed, others will: so many batches are then written with care, job by job.
  private static final int CAREFUL_BATCHES = 16;

  /// How often one that waited in a circle is run again.
  private static final int TRIES_ALONE = 5;

  private final Transactions transactions;
  private final Queue<Job<?>> queue = new ConcurrentLinkedQueue<>();
  private final ExecutorService writers;
  private final Semaphore free;
  private final Set<Thread> writing = ConcurrentHashMap.newKeySet();
  private final AtomicInteger careful = new AtomicInteger();

  /// @param side how many batches are written side by side
  SharedCommits(String name, int side, Transactions transactions) {
    this.transactions = transactions;
    this.free = new Semaphore(side);
    this.writers =
        Executors.newFixedThreadPool(
            side, Thread.ofPlatform().daemon().name("tuntas-" + name + "-", 0).factory());
  }

  <T> T write(String attempted, Work<T> work) {
    if (writing.contains(Thread.currentThread())) {
      throw new IllegalStateException(attempted + ": not from inside another transaction");
    }
    var job = new Job<>(attempted, work);
    queue.add(job);
    begin();
    return job.await();
  }

  /// Lets a batch be written, if there is a job and a writer for it.
  private void begin() {
    while (!queue.isEmpty() && free.tryAcquire()) {
      try {
        writers.execute(this::writeThoseThatWait);
        return;
      } catch (RejectedExecutionException _) {
        free.release();
        var closed = new StoreException(Kind.NOT_DONE, "the tables are closed", null);
        for (var job : gather()) {
          job.failWith(closed);
          job.settle();
        }
      }
    }
  }

  private void writeThoseThatWait() {
    writing.add(Thread.currentThread());
    try {
      write(gather());
    } finally {
      writing.remove(Thread.currentThread());
      free.release();
      begin();
    }
  }

  private List<Job<?>> gather() {
    var batch = new ArrayList<Job<?>>();
    while (batch.size() < BATCH_MAX) {
      var job = queue.poll();
      if (job == null) break;
      batch.add(job);
    }
    return batch;
  }

  private void write(List<Job<?>> batch) {
    if (batch.isEmpty()) return; // another writer was faster
    var circled = new ArrayList<Job<?>>();
    Throwable failure = new IllegalStateException("nothing was written");
    try {
      failure = attempt(batch);
    } finally {
      for (var job : batch) {
        job.failWith(failure);
        if (waitedInCircle(job.failure)) circled.add(job);
        else job.settle();
      }
    }
    circled.forEach(this::runAgain);
  }

  /// Two that each lock things in the same order may wait in a circle once they share transactions
  /// with others. The database undoes one of them, which is no reason to fail.
  private void runAgain(Job<?> job) {
    for (int tries = 0; tries < TRIES_ALONE && waitedInCircle(job.failure); tries++) {
      job.failure = null;
      job.failWith(transact(List.of(job), false));
    }
    job.settle();
  }

  private static boolean waitedInCircle(@Nullable Throwable failure) {
    return failure instanceof StoreException
        && failure.getCause() instanceof SQLException cause
        && PostgresFailures.isCollision(cause);
  }

  /// Returns why nothing was written, if nothing was.
  private @Nullable Throwable attempt(List<Job<?>> batch) {
    if (batch.size() > 1 && careful.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      return transact(batch, true);
    }
    var failure = transact(batch, false);
    if (!(failure instanceof Spoilt)) return failure;
    careful.set(CAREFUL_BATCHES);
    return transact(batch, true);
  }

  private @Nullable Throwable transact(List<Job<?>> batch, boolean withCare) {
    boolean alone = batch.size() == 1;
    try {
      transactions.<Object>transact(
          alone ? batch.getFirst().attempted : "write for several",
          session -> {
            for (var job : batch) {
              if (withCare) job.runWithCare(session);
              else job.run(session, alone);
            }
            return batch;
          });
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  /// Waits for those under way.
  @Override
  public void close() {
    writers.close();
  }

  /// What one thread wants to be done, and waits for.
  private final class Job<T> {
    private final String attempted;
    private final Work<T> work;
    private final Thread waiting = Thread.currentThread();
    private @Nullable T result;
    private @Nullable Throwable failure;
    private volatile boolean done;

    Job(String attempted, Work<T> work) {
      this.attempted = attempted;
      this.work = work;
    }

    /// Who is alone fails with the transaction; others are tried again.
    void run(Session session, boolean alone) throws SQLException {
      try {
        result = work.run(session);
      } catch (SQLException | RuntimeException | Error e) {
        if (alone) throw e;
        throw new Spoilt();
      }
    }

    void runWithCare(Session session) throws SQLException {
      session.update("savepoint job");
      try {
        result = work.run(session);
      } catch (SQLException e) {
        failure = transactions.failure(attempted, e);
        undo(session, e);
      } catch (RuntimeException | Error e) {
        failure = e;
        undo(session, e);
      }
      session.update("release savepoint job");
    }

    /// Some failures end all of the transaction: then the others fail too.
    private void undo(Session session, Throwable cause) throws SQLException {
      try {
        session.update("rollback to savepoint job");
      } catch (SQLException e) {
        throw new SQLException(
            "everything was rolled back: " + cause.getMessage(), e.getSQLState(), e);
      }
    }

    /// @param failed why the transaction failed, if it did
    void failWith(@Nullable Throwable failed) {
      if (failure == null) failure = failed;
    }

    void settle() {
      done = true;
      LockSupport.unpark(waiting);
    }

    /// Waits without regard to interrupts: the work may be done already.
    T await() {
      boolean interrupted = false;
      while (!done) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
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
