package dev.tuntas.engine;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/// Logs something that fails again and again: the first failure at once, then once a minute how
/// many there were, and when it is over. Whoever tries it tells each time what came of it, from any
/// thread. A failure that comes back within seconds was never over.
public final class Trouble {

  private static final Duration AGAIN_AFTER = Duration.ofMinutes(1);
  private static final Duration OVER_AFTER = Duration.ofSeconds(5);

  private final Logger log;
  private final String what;
  private final LongSupplier nanoTime;

  private volatile boolean isGoingOn;
  private long begunAt;
  private long failedAt;
  private long saidAt;
  private long failures;
  private long failuresSaid;

  /// @param what begins each line: what fails, such as `The relay of notices`
  public Trouble(Logger log, String what) {
    this(log, what, System::nanoTime);
  }

  Trouble(Logger log, String what, LongSupplier nanoTime) {
    this.log = log;
    this.what = what;
    this.nanoTime = nanoTime;
  }

  /// It did not work. What nobody planned for shows its stack trace, the first time.
  public void failed(Throwable why) {
    failed(why.toString(), why instanceof StoreException ? null : why);
  }

  /// It did not work, for a reason that needs no stack trace.
  public void failed(String why) {
    failed(why, null);
  }

  private void failed(String why, @Nullable Throwable surprise) {
    long more;
    long span;
    synchronized (this) {
      long now = nanoTime.getAsLong();
      if (!isGoingOn) begin(now);
      failures += 1;
      failedAt = now;
      if (failures > 1 && now - saidAt < AGAIN_AFTER.toNanos()) return;
      more = failures - failuresSaid;
      span = now - saidAt;
      saidAt = now;
      failuresSaid = failures;
      if (failures > 1) surprise = null;
      else more = 0;
    }
    if (more == 0) log.warn("{} failed: {}", what, why, surprise);
    else log.warn("{} failed {} more times in the last {} s: {}", what, more, seconds(span), why);
  }

  private void begin(long now) {
    isGoingOn = true;
    begunAt = now;
    failures = 0;
    failuresSaid = 0;
  }

  /// It worked. Costs nothing while there is no trouble.
  public void worked() {
    if (!isGoingOn) return;
    long times;
    long span;
    synchronized (this) {
      if (!isGoingOn || nanoTime.getAsLong() - failedAt < OVER_AFTER.toNanos()) return;
      isGoingOn = false;
      times = failures;
      span = failedAt - begunAt;
    }
    log.info("{} works again. It failed {} times in {} s.", what, times, seconds(span));
  }

  private static long seconds(long nanos) {
    return Duration.ofNanos(nanos).toSeconds();
  }
}
