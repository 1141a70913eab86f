package dev.tuntas.server.watch;

import dev.tuntas.engine.Vitals;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Looks twice a second whether this process can go on. If it cannot, it says so once and takes on
/// no new orders. If others could write meanwhile, nothing but this process stands in its way: then
/// it asks for a fresh start.
public final class Watchdog {

  private static final Logger log = LoggerFactory.getLogger(Watchdog.class);

  /// What heals by itself within this time is not worth refusing orders for: they wait so long.
  private static final Duration REFUSES_AFTER = Duration.ofSeconds(5);

  private static final Duration TRY_ANEW_EVERY = Duration.ofSeconds(5);

  /// Who can write for so long while this process cannot was not just quicker to see the end of an
  /// outage.
  private static final Duration WORKED_FOR = Duration.ofSeconds(10);

  private final Supplier<Vitals> vitals;
  private final BooleanSupplier canWriteAnew;
  private final Duration restartAfter;
  private final LongSupplier nanos;
  private volatile @Nullable Trouble trouble;

  /// @param since when it was first seen
  /// @param workedSince since when a new connection could write nevertheless
  private record Trouble(String why, long since, @Nullable Long workedSince, long triedAt) {}

  /// @param canWriteAnew whether a new connection could write to the database
  /// @param restartAfter how long it waits before it asks for a fresh start; zero for ever
  public Watchdog(
      Supplier<Vitals> vitals,
      BooleanSupplier canWriteAnew,
      Duration restartAfter,
      LongSupplier nanos) {
    this.vitals = vitals;
    this.canWriteAnew = canWriteAnew;
    this.restartAfter = restartAfter;
    this.nanos = nanos;
  }

  /// Why this process cannot go on, at this moment.
  public Optional<String> trouble() {
    return vitals.get().trouble();
  }

  /// Whether new orders are refused, because this process could not carry them.
  public boolean refuses() {
    var now = trouble;
    return now != null && isOver(now.since, REFUSES_AFTER) && trouble().isPresent();
  }

  /// Looks once. Returns whether a fresh start would mend it.
  boolean look() {
    var why = trouble();
    var before = trouble;
    if (why.isEmpty()) {
      if (before != null) log.info("This process can go on again, after {} s.", ago(before.since));
      trouble = null;
      return false;
    }
    if (before == null) {
      log.error("This process cannot go on: {}. It takes no new orders until it can.", why.get());
      trouble = new Trouble(why.get(), nanos.getAsLong(), null, nanos.getAsLong());
      return false;
    }
    return wantsRestart(before);
  }

  private boolean wantsRestart(Trouble before) {
    if (restartAfter.isZero() || !isOver(before.triedAt, TRY_ANEW_EVERY)) return false;
    long now = nanos.getAsLong();
    boolean works = canWriteAnew.getAsBoolean();
    var since = !works ? null : before.workedSince == null ? Long.valueOf(now) : before.workedSince;
    trouble = new Trouble(before.why, before.since, since, now);
    return since != null && isOver(since, WORKED_FOR) && isOver(before.since, restartAfter);
  }

  private boolean isOver(long since, Duration span) {
    return nanos.getAsLong() - since >= span.toNanos();
  }

  private long ago(long since) {
    return Duration.ofNanos(nanos.getAsLong() - since).toSeconds();
  }
}
