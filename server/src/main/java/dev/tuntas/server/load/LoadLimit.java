package dev.tuntas.server.load;

import dev.tuntas.server.settings.LoadSettings;

/// How many requests may be under way at once. The number follows what the machine carries: it
/// shrinks by a fifth when requests take longer than they should, and grows slowly while they do
/// not and there is demand. So a queue never builds up, and what is let in is finished in time.
///
/// It knows no clock: the caller measures.
public final class LoadLimit {

  private static final int WINDOW_MIN = 16;
  private static final int START = 64;

  private final int least;
  private final int most;
  private final long targetNanos;

  private double limit;
  private int inFlight;
  private int samples;
  private long nanos;
  private boolean demand;

  public LoadLimit(LoadSettings settings) {
    least = settings.inFlightMin();
    most = settings.inFlightMax();
    targetNanos = settings.latencyTarget().toNanos();
    limit = Math.clamp(START, least, most);
  }

  /// Whether one more may begin. Each that may must [#leave].
  public synchronized boolean enter() {
    if (least > 0 && inFlight >= (int) limit) {
      demand = true;
      return false;
    }
    inFlight++;
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

  private void judge() {
    if (nanos / samples > targetNanos) {
      limit = Math.max(least, limit * 0.8);
    } else if (demand) {
      limit = Math.min(most, limit + Math.max(1, limit / 16));
    }
    samples = 0;
    nanos = 0;
    demand = false;
  }

  public synchronized int limit() {
    return (int) limit;
  }

  public synchronized int inFlight() {
    return inFlight;
  }
}
