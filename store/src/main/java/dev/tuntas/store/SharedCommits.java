package dev.tuntas.store;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.engine.Trouble;
import dev.tuntas.store.Database.Stage;
import dev.tuntas.store.Tables.Work;
import java.sql.SQLException;
import java.time.Duration;
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
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Transactions of many threads that share commits, because a commit waits for the disk: whatever
/// came during the last one goes into the next. Each keeps its own fate: what fails is rolled back
/// alone, and nothing is answered before the disk has it. What somebody else has locked is put
/// aside and tried again by itself, so that the others go on.
///
/// They are run by threads of the platform: a virtual one would change hands at every statement, or
/// keep others from running.
final class SharedCommits implements AutoCloseable {

  /// The database below.
  interface Transactions {
    <T> T transact(String attempted, Work<T> work);

    StoreException failure(String attempted, SQLException cause);

    /// Lets the rest of the transaction wait for other people's locks no longer than this.
    default void waitForLocks(Session session, Duration atMost) throws SQLException {}

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

  /// How long a lock is waited for once one was in the way: longer than most commits take.
  private static final Duration LOCK_WAIT = Duration.ofMillis(200);

  /// The same after that, in a transaction that has waited in vain.
  private static final Duration LOCK_WAIT_AGAIN = Duration.ofMillis(1);

  /// What stays locked is tried less often each time, up to 1.3 s apart.
  private static final Duration AGAIN_FIRST = Duration.ofMillis(20);

  private static final int AGAIN_DOUBLINGS = 6;

  /// Who waits looks so often whether somebody still writes.
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /// What is still locked by then is given up: whoever asked for it asks again.
  private static final Duration LOCKED_AT_MOST = Duration.ofSeconds(10);

  /// The same for what nobody has begun to write.
  private static final Duration BEGUN_WITHIN = Duration.ofSeconds(30);

  /// An end that has not come by then may never come.
  private static final Duration ENDED_WITHIN = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(SharedCommits.class);

  private final Transactions transactions;
  private final Trouble trouble;
  private final Queue<Job<?>> queue = new ConcurrentLinkedQueue<>();

  /// Those that something was in the way of. Each is run by itself, and one writer at most waits
  /// for them.
  private final Queue<Job<?>> alone = new ConcurrentLinkedQueue<>();

  private final AtomicBoolean runningAlone = new AtomicBoolean();
  private final ExecutorService writers;
  private final Semaphore free;
  private final Set<Thread> writing = ConcurrentHashMap.newKeySet();
  private final AtomicInteger careful = new AtomicInteger();

  /// Made in time: where it is needed, there may be no memory left for it.
  private final StoreException nobodyKnows =
      new StoreException(Kind.UNKNOWN, "an error ended the writer", null);

  /// @param side how many batches are written side by side
  SharedCommits(String name, int side, Transactions transactions) {
    this(
        name,
        side,
        transactions,
        Thread.ofPlatform().daemon().name("tuntas-" + name + "-", 0).factory());
  }

  SharedCommits(String name, int side, Transactions transactions, ThreadFactory threads) {
    this.transactions = transactions;
    this.trouble = new Trouble(log, "Writing for " + name);
    this.free = new Semaphore(side);
    this.writers = Executors.newFixedThreadPool(side, threads);
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
    while (hasWork() && free.tryAcquire()) {
      try {
        writers.execute(this::writeThoseThatWait);
        return;
      } catch (RejectedExecutionException _) {
        free.release();
        refuseAll();
      } catch (Error e) {
        free.release();
        trouble.failed(e); // no thread could be made; whoever waits tries again
        return;
      }
    }
  }

  private boolean hasWork() {
    return !queue.isEmpty() || (!alone.isEmpty() && !runningAlone.get());
  }

  private void refuseAll() {
    var closed = new StoreException(Kind.NOT_DONE, "the tables are closed", null);
    for (var jobs : List.of(queue, alone)) {
      for (var job = jobs.poll(); job != null; job = jobs.poll()) {
        if (job.take()) job.settle(closed);
      }
    }
  }

  private void writeThoseThatWait() {
    try {
      writing.add(Thread.currentThread());
      write(gather());
      runOneAlone();
    } catch (RuntimeException | Error e) {
      trouble.failed(e);
    } finally {
      writing.remove(Thread.currentThread());
      free.release();
      begin();
    }
  }

  /// Whoever was taken must be settled: nothing is taken before there is room for it.
  private List<Job<?>> gather() {
    var batch = new ArrayList<Job<?>>(BATCH_MAX);
    while (batch.size() < BATCH_MAX) {
      var job = queue.poll();
      if (job == null) break;
      if (job.take()) batch.add(job);
    }
    return batch;
  }

  private void write(List<Job<?>> batch) {
    if (batch.isEmpty()) return; // another writer was faster
    Throwable failure = nobodyKnows;
    try {
      failure = attempt(batch);
    } finally {
      for (var job : batch) job.settle(failure);
    }
  }

  /// Whatever is locked, batches are written between two of these. Where one gets through, others
  /// may: they go together again.
  private void runOneAlone() {
    if (!runningAlone.compareAndSet(false, true)) return;
    try {
      var job = alone.poll();
      if (job == null || !job.take()) return;
      careful.set(CAREFUL_BATCHES);
      write(List.of(job));
      if (!job.done) return;
      for (var next = alone.poll(); next != null; next = alone.poll()) queue.add(next);
    } finally {
      runningAlone.set(false);
    }
  }

  /// Whether it was undone only because somebody else was in the way. (Two that each lock things in
  /// the same order may wait in a circle once they share transactions with others.)
  private static boolean isBlocked(@Nullable Throwable failure) {
    if (!(failure instanceof StoreException store)) return false;
    return store.kind() == Kind.BLOCKED
        || (store.getCause() instanceof SQLException cause && PostgresFailures.isCollision(cause));
  }

  /// Returns why nothing was written, if nothing was.
  private @Nullable Throwable attempt(List<Job<?>> batch) {
    if (careful.getAndUpdate(left -> Math.max(0, left - 1)) > 0) return transact(batch, true);
    var failure = transact(batch, false);
    if (failure instanceof Spoilt || isBlocked(failure)) careful.set(CAREFUL_BATCHES);
    return failure instanceof Spoilt ? transact(batch, true) : failure;
  }

  private @Nullable Throwable transact(List<Job<?>> batch, boolean withCare) {
    boolean single = batch.size() == 1;
    try {
      transactions.<Object>transact(
          single ? batch.getFirst().attempted : "write for several",
          session -> {
            if (withCare) transactions.waitForLocks(session, LOCK_WAIT);
            if (withCare && !single) runWithCare(session, batch);
            else for (var job : batch) job.run(session, single);
            return batch;
          });
      trouble.worked();
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }

  /// However many of them are locked, the others wait for little more than one lock.
  private void runWithCare(Session session, List<Job<?>> batch) throws SQLException {
    boolean waited = false;
    for (var job : batch) {
      job.runWithCare(session);
      if (waited || !isBlocked(job.failure)) continue;
      waited = true;
      careful.set(CAREFUL_BATCHES);
      transactions.waitForLocks(session, LOCK_WAIT_AGAIN);
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
    private final long since = System.nanoTime();
    private final AtomicBoolean taken = new AtomicBoolean();
    private @Nullable T result;
    private @Nullable Throwable failure;
    private @Nullable Throwable blockedBy;
    private int timesAside;
    private long againAt;
    private volatile boolean aside;
    private volatile boolean done;

    Job(String attempted, Work<T> work) {
      this.attempted = attempted;
      this.work = work;
    }

    /// False if whoever waited for it has gone. Who takes it settles it.
    boolean take() {
      if (!taken.compareAndSet(false, true)) return false;
      failure = null;
      return true;
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
    void settle(@Nullable Throwable failed) {
      if (failure == null) failure = failed;
      if (isBlocked(failure)) {
        blockedBy = failure;
        againAt = System.nanoTime() + pause();
        aside = true;
        taken.set(false);
      } else {
        done = true;
      }
      wake();
    }

    private void wake() {
      try {
        LockSupport.unpark(waiting);
      } catch (RuntimeException | Error _) {
        // A virtual thread needs memory to go on. It looks by itself, a little later.
      }
    }

    private long pause() {
      return AGAIN_FIRST.toNanos() << Math.min(timesAside++, AGAIN_DOUBLINGS);
    }

    /// Waits without regard to interrupts: the work may be done already. Who waits is also the one
    /// to bring back what was put aside, and to notice that nobody writes.
    T await() {
      boolean interrupted = false;
      while (!done) {
        LockSupport.parkNanos(this, aside ? againAt - System.nanoTime() : LOOK_EVERY.toNanos());
        interrupted |= Thread.interrupted();
        if (!done) look();
      }
      if (interrupted) Thread.currentThread().interrupt();
      return outcome();
    }

    private void look() {
      long now = System.nanoTime();
      var patience = blockedBy == null ? BEGUN_WITHIN : LOCKED_AT_MOST;
      if (now - since > patience.toNanos() && take()) {
        giveUp();
      } else if (now - since > ENDED_WITHIN.toNanos()) {
        throw new StoreException(
            Kind.UNKNOWN, attempted + ": no end within " + ENDED_WITHIN.toSeconds() + " s", null);
      } else if (aside && now - againAt >= 0) {
        aside = false;
        alone.add(this);
        begin();
      } else if (!aside && !taken.get()) {
        begin();
      }
    }

    private void giveUp() {
      queue.remove(this);
      alone.remove(this);
      failure =
          blockedBy != null
              ? blockedBy
              : new StoreException(Kind.NOT_DONE, attempted + ": the writer is busy", null);
      done = true;
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
