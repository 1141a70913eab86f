package dev.tuntas.engine;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/// Lets calls out to a partner at its pace and in turn. Their permits came at that pace already,
/// but between a permit and its call lies a commit, and a commit that took long would let many out
/// at once.
final class Gate {

  private static final double SECOND = 1e9;

  /// Timers are no finer than this.
  private static final Duration SHORTEST = Duration.ofMillis(1);

  private final DoubleSupplier perSecond;
  private final Timers timers;
  private final LongSupplier nanos;
  private final long burst;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean planned;
  private long next;

  /// @param burst how much may be made up for after a rest
  Gate(DoubleSupplier perSecond, Duration burst, Timers timers, LongSupplier nanos) {
    this.perSecond = perSecond;
    this.burst = burst.toNanos();
    this.timers = timers;
    this.nanos = nanos;
    this.next = nanos.getAsLong();
  }

  /// Runs the call now, or on another thread when its turn comes.
  void pass(Runnable call) {
    synchronized (this) {
      if (!waiting.isEmpty() || !takeTurn()) {
        waiting.add(call);
        plan();
        return;
      }
    }
    call.run();
  }

  private void open() {
    boolean done = false;
    try {
      letOut();
      done = true;
    } finally {
      if (!done) planForOthers(); // a call threw: those behind it still have their turn
    }
  }

  private synchronized void planForOthers() {
    if (!waiting.isEmpty()) plan();
  }

  private void letOut() {
    while (true) {
      Runnable call;
      synchronized (this) {
        planned = false;
        if (waiting.isEmpty()) return;
        if (!takeTurn()) {
          plan();
          return;
        }
        call = waiting.remove();
      }
      call.run();
    }
  }

  /// The calls of a full pace come at `next`; one may come earlier by the burst.
  private boolean takeTurn() {
    double pace = perSecond.getAsDouble();
    if (pace == Double.POSITIVE_INFINITY) return true;
    long now = nanos.getAsLong();
    if (next - burst - now > 0) return false;
    next = (next - now > 0 ? next : now) + (long) (SECOND / pace);
    return true;
  }

  private void plan() {
    if (planned) return;
    planned = true;
    var wait = Duration.ofNanos(next - burst - nanos.getAsLong()).plus(SHORTEST);
    timers.after(wait.compareTo(SHORTEST) < 0 ? SHORTEST : wait, this::open);
  }
}
