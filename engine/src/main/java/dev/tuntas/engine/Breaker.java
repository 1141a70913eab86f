package dev.tuntas.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;

/// Stops calling a partner that fails, and lets calls return by steps. It opens when too large a
/// share of the last calls failed; then one call at a time is a trial. After a good one the calls
/// per second grow with what succeeds, until the lane's own limit is reached or nobody waits any
/// more. Not thread-safe: its lane guards it.
public final class Breaker {

  /// `failureShare` of the last `window` calls, at least `callsMin` of them, opens it. Between two
  /// trials lies `openMin` at first, twice as much after each that failed, and `openMax` at most. A
  /// partner that bars us is left alone for `barredFor`.
  public record Settings(
      double failureShare,
      int callsMin,
      int window,
      Duration openMin,
      Duration openMax,
      Duration barredFor) {

    public Settings {
      if (!(failureShare > 0 && failureShare <= 1)) {
        throw new IllegalArgumentException("failureShare must be above 0 and at most 1");
      }
      if (callsMin < 1 || window < callsMin) {
        throw new IllegalArgumentException("window must hold at least callsMin calls, at least 1");
      }
      if (!openMin.isPositive() || openMax.compareTo(openMin) < 0 || !barredFor.isPositive()) {
        throw new IllegalArgumentException(
            "openMin and barredFor must be above 0, and openMax at least openMin");
      }
    }

    /// 50 % of at least 20 calls; a trial after 1, 2, 3, 3 ... seconds, so that a partner that
    /// returns is noticed, and called by more than one, within five; 2 minutes for one that bars
    /// us.
    public static Settings standard() {
      return new Settings(
          0.5, 20, 100, Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofMinutes(2));
    }

    /// The same with other times between trials.
    public Settings open(Duration min, Duration max) {
      return new Settings(failureShare, callsMin, window, min, max, barredFor);
    }
  }

  public enum State {
    /// Calls go as the lane allows.
    CLOSED,
    /// No call goes but a trial now and then.
    OPEN,
    /// A trial succeeded: a few calls go, then more and more.
    TRIAL
  }

  /// So many calls per second follow the first good trial.
  private static final double PACE_FIRST = 10;

  /// The pace is the lane's limit after so long, if all goes well, and grows no faster than to
  /// `PACE_MAX` in that time.
  private static final double GROWS_FOR_SECONDS = 10;

  private static final double PACE_MAX = 1_000;

  /// More than so many per second cannot be claimed: this is no limit any more.
  private static final double PACE_FREE = 5_000;

  /// On trial fewer calls prove that the partner fails again.
  private static final int TRIAL_PART = 5;

  private final Settings settings;
  private Tally tally;
  private State state = State.CLOSED;
  private Instant since = Instant.MIN;

  /// Calls of the same generation are let through for the same reason: each trial is one of its
  /// own.
  private long generation;

  private long counted;
  private Duration openFor;
  private Instant trialAt = Instant.MIN;
  private Instant trialBefore = Instant.MIN;
  private double pace;

  public Breaker(Settings settings) {
    this.settings = settings;
    this.openFor = settings.openMin();
    this.tally = whenClosed();
  }

  /// How many calls it would let through now, at most.
  public int allows(Instant now) {
    follow(now);
    if (state != State.OPEN) return Integer.MAX_VALUE;
    return now.isBefore(trialAt) ? 0 : 1;
  }

  public State state() {
    return state;
  }

  /// How many calls per second may go, where `perSecond` is the lane's own limit.
  double pace(double perSecond) {
    return state == State.TRIAL ? Math.min(pace, perSecond) : perSecond;
  }

  /// Returns the generation of the call that is let through. While a trial is under way the next
  /// one does not wait for it: it may have gone to somebody who never answers.
  long begun(Instant now) {
    if (state == State.OPEN) {
      generation += 1;
      trialBefore = trialAt;
      trialAt = now.plus(openFor);
    }
    return generation;
  }

  /// A call was not made, or what came of it says nothing about the partner. If it was the last
  /// trial, somebody else may try.
  void returned(long call) {
    if (state == State.OPEN && call == generation) trialAt = trialBefore;
  }

  /// What came of a call that began at `begun`. What was let through before it opened, or before
  /// its first good trial, says nothing about now.
  void ended(long call, boolean failed, Instant begun, Instant now, double perSecond) {
    follow(now);
    if (call < counted) return;
    switch (state) {
      case CLOSED -> {
        tally.count(failed);
        if (tally.isBad()) open(now);
      }
      case OPEN -> {
        if (failed) trialFailed(begun);
        else trialSucceeded(now, perSecond);
      }
      case TRIAL -> {
        tally.count(failed);
        if (tally.isBad()) open(now);
        else if (failed) pace = Math.max(first(perSecond), pace / 2);
        else grow(perSecond);
      }
    }
  }

  /// The partner lets none of us in: whoever calls next would fare no better.
  void trip(Instant now) {
    open(now);
    trialBefore = now.plus(settings.barredFor());
    trialAt = trialBefore;
  }

  /// There are fewer calls to make than may go.
  void nobodyWaits(Instant now) {
    follow(now);
    if (state == State.TRIAL && !now.isBefore(since.plus(settings.openMax()))) close();
  }

  private void open(Instant now) {
    state = State.OPEN;
    since = now;
    countFromHere();
    trialBefore = now.plus(openFor);
    trialAt = trialBefore;
  }

  private void countFromHere() {
    generation += 1;
    counted = generation;
  }

  private void trialFailed(Instant begun) {
    var longer = openFor.multipliedBy(2);
    openFor = longer.compareTo(settings.openMax()) > 0 ? settings.openMax() : longer;
    trialAt = Turn.later(trialAt, begun.plus(openFor));
    trialBefore = trialAt;
  }

  private void trialSucceeded(Instant now, double perSecond) {
    state = State.TRIAL;
    since = now;
    countFromHere();
    var shorter = openFor.dividedBy(2);
    openFor = shorter.compareTo(settings.openMin()) < 0 ? settings.openMin() : shorter;
    tally = onTrial();
    pace = first(perSecond);
    if (pace >= perSecond) close();
  }

  private static double first(double perSecond) {
    return Math.min(PACE_FIRST, perSecond);
  }

  /// Calls that follow each other at this pace, and succeed, make it grow by the same amount each
  /// second.
  private void grow(double perSecond) {
    pace += Math.min(perSecond, PACE_MAX) / GROWS_FOR_SECONDS / pace;
    if (pace >= Math.min(perSecond, PACE_FREE)) close();
  }

  private void close() {
    state = State.CLOSED;
    openFor = settings.openMin();
    tally = whenClosed();
  }

  /// The store's clock may go back; what was measured by it begins anew.
  private void follow(Instant now) {
    if (!now.isBefore(since)) return;
    since = now;
    trialBefore = now;
    trialAt = now;
  }

  private Tally whenClosed() {
    return new Tally(settings.failureShare(), settings.callsMin(), settings.window());
  }

  private Tally onTrial() {
    int callsMin = Math.ceilDiv(settings.callsMin(), TRIAL_PART);
    return new Tally(settings.failureShare(), callsMin, 2 * callsMin);
  }

  /// How many of the last calls failed.
  private static final class Tally {

    private final double share;
    private final int callsMin;
    private final int window;
    private final BitSet failures = new BitSet();
    private int calls;
    private int at;

    Tally(double share, int callsMin, int window) {
      this.share = share;
      this.callsMin = callsMin;
      this.window = window;
    }

    void count(boolean failed) {
      failures.set(at, failed);
      at = (at + 1) % window;
      calls = Math.min(calls + 1, window);
    }

    boolean isBad() {
      return calls >= callsMin && failures.cardinality() >= share * calls;
    }
  }
}
