package dev.tuntas.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Copies SQLite's write-ahead log into the database beside the writer, so that no commit waits for
/// it, and keeps the log from growing without bound.
final class Checkpointer implements AutoCloseable, Runnable {

  private static final Logger log = LoggerFactory.getLogger(Checkpointer.class);

  /// From here on, in pages, the log is copied while the writer goes on: 6 MB, less than it was
  /// given room for.
  private static final int COPY_PAGES = 1_500;

  /// If no more than so many pages came meanwhile, they are copied too while the writer waits.
  /// Under light load the log never outgrows its room by that.
  private static final int FEW_PAGES = 100;

  /// After so many pages the writer waits for the rest to be copied, however much that is: 64 MB.
  static final int RESTART_PAGES = 16_000;

  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /// The log, by way of one connection.
  interface Log extends AutoCloseable {

    void open() throws SQLException;

    Pages checkpoint(String mode) throws SQLException;

    /// To be called after every use.
    void giveUpIfDoubtful();

    @Override
    void close();
  }

  /// How long the log is, and how much of it has been copied, in pages; `busy` if a reader stood in
  /// the way.
  record Pages(boolean busy, int logged, int copied) {}

  /// @param since when it was first seen, as [System#nanoTime]
  private record Failure(String why, long since, int times) {}

  private final Log session;
  private final ReentrantLock writing;
  private final Thread thread;
  private volatile boolean open = true;
  private volatile boolean written;
  private volatile @Nullable Failure failure;
  private int restartAt = RESTART_PAGES;

  Checkpointer(Log session, ReentrantLock writing) {
    this.session = session;
    this.writing = writing;
    this.thread = Thread.ofPlatform().name("tuntas-checkpoint").daemon().unstarted(this);
  }

  void start() throws SQLException {
    session.open();
    thread.start();
  }

  /// Says that there was a commit.
  void written() {
    written = true;
  }

  @Override
  public void run() {
    while (open) {
      LockSupport.parkNanos(this, REST_NANOS);
      if (!written) continue;
      written = false;
      try {
        lookOnce();
        succeeded();
      } catch (SQLException | RuntimeException | Error e) {
        written = true;
        failed(e);
      }
    }
  }

  private void lookOnce() throws SQLException {
    try {
      look();
    } finally {
      session.giveUpIfDoubtful();
    }
  }

  private void succeeded() {
    var before = failure;
    if (before == null) return;
    failure = null;
    log.info("The write-ahead log is copied again, after {} attempts failed.", before.times);
  }

  /// Says so once; then it is counted.
  private void failed(Throwable e) {
    var before = failure;
    if (before != null) {
      failure = new Failure(e.toString(), before.since, before.times + 1);
      return;
    }
    failure = new Failure(e.toString(), System.nanoTime(), 1);
    log.warn(
        "The write-ahead log cannot be copied into the database and grows until it can be: {}."
            + " Nothing committed is lost. It is tried again ten times a second. Look whether the"
            + " disk is full.",
        e.toString());
  }

  /// For how long the log could not be copied; zero if nothing is wrong.
  Duration failingFor() {
    var now = failure;
    return now == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - now.since);
  }

  @Nullable String whyFailing() {
    var now = failure;
    return now == null ? null : now.why;
  }

  private void look() throws SQLException {
    var pages = session.checkpoint("noop");
    if (pages.logged - pages.copied < COPY_PAGES) return;
    pages = session.checkpoint("passive");
    if (pages.logged >= restartAt) restart();
    else if (pages.logged - pages.copied <= FEW_PAGES) copyRest();
  }

  /// A log that was copied whole begins anew with the next commit, unless somebody reads in it.
  private void copyRest() throws SQLException {
    writing.lock();
    try {
      session.checkpoint("passive");
    } finally {
      writing.unlock();
    }
  }

  /// Little is left to copy after a passive checkpoint, so the writer waits for milliseconds. A
  /// slow reader lets it fail; then the log may grow once more.
  private void restart() throws SQLException {
    writing.lock();
    try {
      var pages = session.checkpoint("restart");
      restartAt = pages.busy ? pages.logged + RESTART_PAGES : RESTART_PAGES;
    } finally {
      writing.unlock();
    }
  }

  @Override
  public void close() {
    open = false;
    LockSupport.unpark(thread);
    try {
      thread.join();
      session.close();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
