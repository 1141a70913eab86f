package dev.tuntas.testkit.threads;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One thread of a run. Of all of them one at a time goes on: the one that was told to.
final class Task {

  static final long NEVER = Long.MAX_VALUE;

  private static final ThreadLocal<Task> CURRENT = new ThreadLocal<>();

  final Scheduler scheduler;
  final int number;
  final Runnable work;
  private final Thread thread;
  String name;
  int priority;
  boolean started;
  boolean ended;
  boolean interrupted;
  boolean permit;

  /// Not before this time, however ready it is: its processor does something else.
  long notBefore;

  /// What it waits for, in words and as a question; null when it is ready.
  @Nullable String waitsFor;

  @Nullable BooleanSupplier until;
  long deadline;

  /// The monitor or lock that it waits for.
  @Nullable Object wanted;

  /// While something of the JDK is locked for real, nobody else may go on.
  int undivided;

  private volatile boolean mayGoOn;

  Task(Scheduler scheduler, int number, String name, Runnable work) {
    this.scheduler = scheduler;
    this.number = number;
    this.name = name;
    this.work = work;
    this.thread = Thread.ofVirtual().unstarted(this::run);
  }

  /// The one that runs the caller; null outside of any run.
  static @Nullable Task current() {
    return CURRENT.get();
  }

  Thread thread() {
    return thread;
  }

  private void run() {
    CURRENT.set(this);
    try {
      waitForTurn();
      work.run();
    } catch (RunIsOver _) {
      // as it should be
    } catch (Throwable thrown) {
      scheduler.uncaught(this, thrown);
    } finally {
      scheduler.ended(this);
    }
  }

  void goOn() {
    mayGoOn = true;
    LockSupport.unpark(thread);
  }

  void waitForTurn() {
    while (!mayGoOn) {
      LockSupport.park(this);
      boolean _ = Thread.interrupted();
    }
    mayGoOn = false;
    if (scheduler.isOver()) throw new RunIsOver();
  }

  boolean isReady(long now) {
    if (!started || ended || now < notBefore) return false;
    var question = until;
    return question == null || now >= deadline || question.getAsBoolean();
  }

  /// When time alone makes it ready.
  long readyAt() {
    if (!started || ended) return NEVER;
    if (until == null) return notBefore;
    if (until.getAsBoolean()) return notBefore;
    return deadline == NEVER ? NEVER : Math.max(deadline, notBefore);
  }

  @Override
  public String toString() {
    return name.isEmpty() ? "thread " + number : name;
  }
}
