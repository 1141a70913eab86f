package dev.tuntas.bench.http;

import dev.tuntas.bench.Latencies;

/// What became of the requests of one phase.
final class Tally {

  /// An acceptance that comes later is of no use to anybody who waits.
  static final long USEFUL_NANOS = 1_000_000_000L;

  private static final int ACCEPTED = 202;
  private static final int SHOWN = 200;
  private static final int SHED = 503;

  private final Latencies accepted = new Latencies();
  private final Latencies shed = new Latencies();
  private long useful;
  private long unsent;
  private long failed;
  private int lastStatus;

  /// An answer, and how long after it was meant to be asked.
  synchronized void answered(int status, long tookNanos) {
    switch (status) {
      case ACCEPTED, SHOWN -> {
        accepted.add(tookNanos);
        if (tookNanos <= USEFUL_NANOS) useful++;
      }
      case SHED -> shed.add(tookNanos);
      default -> {
        failed++;
        lastStatus = status;
      }
    }
  }

  /// No connection was free for it.
  synchronized void unsent() {
    unsent++;
  }

  /// The connection broke, or no answer came.
  synchronized void broken() {
    failed++;
  }

  synchronized long accepted() {
    return accepted.count();
  }

  /// Acceptances that came in time.
  synchronized long useful() {
    return useful;
  }

  synchronized long shed() {
    return shed.count();
  }

  synchronized long notSent() {
    return unsent;
  }

  synchronized long failed() {
    return failed;
  }

  synchronized int lastStatus() {
    return lastStatus;
  }

  synchronized double acceptMillis(double share) {
    return accepted.millis(share);
  }

  synchronized double shedMillis(double share) {
    return shed.millis(share);
  }
}
