package dev.tuntas.adapters.redis;

import java.time.Duration;
import java.util.function.LongSupplier;

/// Whether somebody is worth asking. After a few failures in a row he is left alone, and looked
/// after now and then, until he was found well again. So it begins: nobody has looked yet.
final class Rest {

  private final int failuresMax;
  private final long pause;
  private final LongSupplier nanoTime;
  private boolean resting = true;
  private long nextLook;
  private int failures;

  Rest(int failuresMax, Duration pause, LongSupplier nanoTime) {
    this.failuresMax = failuresMax;
    this.pause = pause.toNanos();
    this.nanoTime = nanoTime;
    this.nextLook = nanoTime.getAsLong();
  }

  synchronized boolean isResting() {
    return resting;
  }

  /// Whether whoever asks should look after him now. True once in a pause.
  synchronized boolean isTimeToLook() {
    long now = nanoTime.getAsLong();
    if (!resting || now - nextLook < 0) return false;
    nextLook = now + pause;
    return true;
  }

  /// He answered.
  synchronized void answered() {
    failures = 0;
  }

  /// He did not. True if he is left alone from now on.
  synchronized boolean failed() {
    if (resting || ++failures < failuresMax) return false;
    resting = true;
    nextLook = nanoTime.getAsLong() + pause;
    return true;
  }

  /// He was looked after, and is well.
  synchronized void end() {
    resting = false;
    failures = 0;
  }
}
