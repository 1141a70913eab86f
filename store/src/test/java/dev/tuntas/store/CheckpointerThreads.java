package dev.tuntas.store;

import dev.tuntas.store.Checkpointer.Pages;
import dev.tuntas.testkit.threads.Scenario;
import dev.tuntas.testkit.threads.Schedule;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;

/// Writers that make the log grow, on a disk that is full for a while. Afterwards the log is copied
/// again, and gets no longer than it may.
public final class CheckpointerThreads implements Scenario {

  private static final int WRITES = 40;
  private static final int PAGES_MAX = 1_200;
  private static final int SECONDS_OF_REST = 20;

  /// A log of which so much is not copied is left alone.
  private static final int LEFT_MAX = 1_500;

  private final ReentrantLock writing = new ReentrantLock(true);
  private final ModelLog log = new ModelLog();
  private final Checkpointer checkpointer = new Checkpointer(log, writing);

  @Override
  public void run(RandomGenerator random) throws Exception {
    checkpointer.start();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 2; i++) {
      long seed = random.nextLong();
      threads.add(begin("writer-" + i, () -> write(new SplittableRandom(seed))));
    }
    int fullAfter = random.nextInt(4_000);
    int fullFor = random.nextInt(4_000);
    Thread.sleep(fullAfter);
    log.fill(true);
    Thread.sleep(fullFor);
    log.fill(false);
    for (var thread : threads) thread.join();
    Schedule.calm();
    for (int i = 0; i < SECONDS_OF_REST && log.left() > LEFT_MAX; i++) Thread.sleep(1_000);
    if (log.left() > LEFT_MAX) {
      throw new AssertionError(log.left() + " pages are not copied: " + checkpointer.whyFailing());
    }
    if (!checkpointer.failingFor().isZero()) {
      throw new AssertionError("it still fails: " + checkpointer.whyFailing());
    }
    checkpointer.close();
    if (log.isOpen()) throw new AssertionError("its connection was left open");
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  private static Thread begin(String name, Work work) {
    return Thread.ofPlatform()
        .name(name)
        .start(
            () -> {
              try {
                work.run();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private void write(RandomGenerator random) throws InterruptedException {
    for (int i = 0; i < WRITES; i++) {
      writing.lock();
      try {
        log.append(1 + random.nextInt(PAGES_MAX));
        checkpointer.written();
      } finally {
        writing.unlock();
      }
      Thread.sleep(random.nextInt(400));
    }
    // The last look came before the last commit, perhaps.
    checkpointer.written();
  }

  /// A log as SQLite has it. A connection on which something failed fails for ever.
  private static final class ModelLog implements Checkpointer.Log {

    private int logged;
    private int copied;
    private boolean full;
    private boolean open;
    private boolean poisoned;

    synchronized void append(int pages) {
      if (copied == logged) {
        logged = 0;
        copied = 0;
      }
      logged += pages;
    }

    synchronized void fill(boolean is) {
      full = is;
    }

    synchronized int left() {
      return logged - copied;
    }

    synchronized boolean isOpen() {
      return open;
    }

    @Override
    public synchronized void open() {
      open = true;
    }

    @Override
    public synchronized Pages checkpoint(String mode) throws SQLException {
      open = true;
      if (poisoned) throw new SQLException("statement is not executing");
      if (!mode.equals("noop")) {
        if (full && logged > copied) {
          poisoned = true;
          throw new SQLException("database or disk is full");
        }
        copied = logged;
      }
      return new Pages(false, logged, copied);
    }

    @Override
    public synchronized void giveUpIfDoubtful() {
      if (!poisoned) return;
      poisoned = false;
      open = false;
    }

    @Override
    public synchronized void close() {
      open = false;
    }
  }

  /// A mistake: the connection is kept, whatever failed on it.
  static final class KeepsWhatFailed {

    private KeepsWhatFailed() {}

    static void giveUpIfDoubtful(Checkpointer.Log log) {}
  }
}
