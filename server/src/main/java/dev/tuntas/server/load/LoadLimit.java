package dev.tuntas.server.load;

import dev.tuntas.server.settings.LoadSettings;

/// How many requests may be under way at once. The number follows what the machine carries: while
/// it is reached, it shrinks when requests take longer than they should, and grows when they do
/// not. So a queue never builds up, and what is let in is finished in time.
///
/// Requests that take long with nobody in the way wait for something far away, and to let in fewer
/// of them would help nobody. How long that is, is measured while no more than the least are under
/// way, which are no queue by definition: what is measured under load can only lower it.
///
/// It knows no clock: the caller measures.
public final class LoadLimit {

  private static final int WINDOW_MIN = 16;
  private static final int START = 64;

  /// Who comes while a commit is under way waits for its end first.
  private static final int TIMES_ALONE = 2;

  /// What takes longer than so many targets with nobody in the way is trouble.
  private static final int ALONE_TARGETS_MAX = 20;

  private final int least;
  private final int most;
  private final int start;
  private final long targetNanos;

  private double limit;
  private int inFlight;
  private int samples;
  private long nanos;
  private boolean demand;

  /// What requests take with nobody in the way.
  private long aloneNanos;

  /// Whether more than the least were under way, in this window or in the one before.
  private boolean crowded;

  private boolean wasCrowded;

  /// What the limit was when it began to shrink, and what requests took then; 0 while it does not.
  private double limitBefore;

  private long nanosBefore;

  public LoadLimit(LoadSettings settings) {
    least = settings.inFlightMin();
    most = settings.inFlightMax();
    targetNanos = settings.latencyTarget().toNanos();
    start = Math.clamp(START, least, most);
    limit = start;
  }

  /// Whether one more may begin. Each that may must [#leave].
  public synchronized boolean enter() {
    if (least > 0 && inFlight >= (int) limit) {
      demand = true;
      return false;
    }
    inFlight++;
    crowded |= inFlight > least;
    return true;
  }

  /// Whether [#enter] would let one more in now. Who asks in vain counts as demand.
  public synchronized boolean hasRoom() {
    boolean room = least == 0 || inFlight < (int) limit;
    demand |= !room;
    return room;
  }

  /// One is done, after so long.
  public synchronized void leave(long tookNanos) {
    demand |= inFlight >= (int) limit;
    inFlight--;
    nanos += tookNanos;
    if (++samples >= Math.max(WINDOW_MIN, (int) limit / 2)) judge();
  }

  /// A limit that is not reached is not judged: as many are done as come, so no queue grows.
  private void judge() {
    long mean = nanos / samples;
    measureAlone(mean);
    if (mean > allowed()) {
      if (demand) shrink(mean);
    } else {
      if (limitBefore > limit && isAlone() && nanosBefore <= allowed()) limit = limitBefore;
      else if (demand) grow(mean);
      limitBefore = 0;
    }
    samples = 0;
    nanos = 0;
    demand = false;
    wasCrowded = crowded;
    crowded = inFlight > least;
  }

  private void measureAlone(long mean) {
    boolean wasFar = isFar();
    if (isAlone() || mean < aloneNanos) {
      aloneNanos = Math.min(mean, targetNanos * ALONE_TARGETS_MAX);
    }
    if (wasFar && !isFar()) limit = Math.min(limit, start);
  }

  private boolean isAlone() {
    return !crowded && !wasCrowded;
  }

  private boolean isFar() {
    return allowed() > targetNanos;
  }

  private long allowed() {
    return Math.max(targetNanos, aloneNanos * TIMES_ALONE);
  }

  /// What is twice as long as it may be is too many by half, if it is a queue.
  private void shrink(long mean) {
    if (limitBefore == 0) {
      limitBefore = limit;
      nanosBefore = mean;
    }
    limit = Math.max(least, limit * Math.clamp((double) allowed() / mean, 0.5, 0.8));
  }

  /// In large steps while nothing is to be seen of a queue.
  private void grow(long mean) {
    boolean queue = mean > aloneNanos * 3 / 2;
    limit = Math.min(most, limit + Math.max(1, limit / (queue ? 16 : 4)));
  }

  public synchronized int limit() {
    return (int) limit;
  }

  public synchronized int inFlight() {
    return inFlight;
  }
}
