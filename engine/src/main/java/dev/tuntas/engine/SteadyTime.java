package dev.tuntas.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Time that never jumps. It passes at the pace of the monotonic clock and follows a clock that
/// somebody may set: a small difference at once, a large one by three seconds a minute. So nothing
/// stands still for an hour because a clock was set back, and no deadline passes because it was set
/// forward.
public final class SteadyTime {

  private static final Logger log = LoggerFactory.getLogger(SteadyTime.class);

  /// A larger difference is a clock that was set.
  static final Duration SMALL = Duration.ofSeconds(1);

  private static final int CATCHES_UP_ONE_IN = 20;

  /// So often a clock is read again that costs little to read.
  private static final long FRESH_NANOS = Duration.ofMillis(200).toNanos();

  /// What time it was, and by how much the clock that is followed was ahead.
  private record Anchor(long nanos, Instant time, Duration ahead) {

    Instant at(long then) {
      long elapsed = then - nanos;
      return time.plusNanos(elapsed + corrected(elapsed));
    }

    Duration aheadAt(long then) {
      return ahead.minusNanos(corrected(then - nanos));
    }

    private long corrected(long elapsed) {
      if (ahead.isZero()) return 0;
      long most = Math.max(0, elapsed) / CATCHES_UP_ONE_IN;
      if (ahead.compareTo(Duration.ofNanos(most)) > 0) return most;
      return ahead.compareTo(Duration.ofNanos(-most)) < 0 ? -most : ahead.toNanos();
    }
  }

  private final String name;
  private volatile Anchor anchor;

  /// @param name of the clock that is followed, for the log
  /// @param nanos what the monotonic clock said when the other said `time`
  SteadyTime(String name, Instant time, long nanos) {
    this.name = name;
    this.anchor = new Anchor(nanos, time, Duration.ZERO);
  }

  /// A clock that follows another one, which costs little to read.
  public static InstantSource following(String name, InstantSource clock, LongSupplier nanos) {
    var steady = new SteadyTime(name, clock.instant(), nanos.getAsLong());
    return () -> {
      long now = nanos.getAsLong();
      if (now - steady.anchor.nanos < FRESH_NANOS) return steady.at(now);
      steady.follow(clock.instant(), now, nanos.getAsLong());
      return steady.at(nanos.getAsLong());
    };
  }

  Instant at(long nanos) {
    return anchor.at(nanos);
  }

  /// Begins anew, for one whose time nothing here waits by.
  synchronized void begin(Instant time, long nanos) {
    anchor = new Anchor(nanos, time, Duration.ZERO);
  }

  /// By how much it is ahead of the clock that it follows; zero if that is little.
  Duration offset(long nanos) {
    var ahead = anchor.aheadAt(nanos);
    return isLarge(ahead) ? ahead.negated() : Duration.ZERO;
  }

  /// Takes what the clock said some time between two readings of the monotonic clock.
  synchronized void follow(Instant said, long from, long to) {
    var old = anchor;
    if (to - old.nanos < 0) return; // another thread has heard something newer
    var ahead = ahead(old, said, from, to);
    if (ahead.isZero() && to - from > SMALL.toNanos()) return; // nobody knows when it was read
    if (ahead.isZero()) {
      if (isLarge(old.ahead)) log.info("Time here has caught up with {}.", name);
      anchor = close(old, said, from, to);
      return;
    }
    var change = ahead.minus(old.aheadAt(to));
    if (isLarge(change)) {
      log.warn(
          "{} was set {} by {} s. Time here follows it by three seconds a minute, so that nothing"
              + " waits that much longer and no deadline passes early.",
          name,
          change.isNegative() ? "back" : "forward",
          change.abs().toSeconds());
    }
    anchor = new Anchor(to, old.at(to), ahead);
  }

  /// A small difference is made up for at once if that is forward: time does not go back.
  private static Anchor close(Anchor old, Instant said, long from, long to) {
    var difference = Duration.between(old.at(from), said);
    return difference.isNegative()
        ? new Anchor(to, old.at(to), difference)
        : new Anchor(from, said, Duration.ZERO);
  }

  /// By how much the clock is ahead, if that is more than a small difference.
  private static Duration ahead(Anchor old, Instant said, long from, long to) {
    var earliest = Duration.between(old.at(from), said);
    var latest = Duration.between(old.at(to), said);
    if (earliest.compareTo(SMALL.negated()) < 0) return earliest;
    return latest.compareTo(SMALL) > 0 ? latest : Duration.ZERO;
  }

  private static boolean isLarge(Duration difference) {
    return difference.abs().compareTo(SMALL) > 0;
  }
}
