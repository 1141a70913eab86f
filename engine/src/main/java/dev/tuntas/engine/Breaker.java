package dev.tuntas.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;

/// Stops calling a partner that fails: opens when too large a share of the last calls failed, then
/// lets single trials through. Not thread-safe: its lane guards it.
public final class Breaker {

  /// `failureShare` of the last `window` calls, at least `callsMin` of them, opens it for
  /// `openFor`.
  public record Settings(double failureShare, int callsMin, int window, Duration openFor) {

    public Settings {
      if (!(failureShare > 0 && failureShare <= 1)) {
        throw new IllegalArgumentException("failureShare must be above 0 and at most 1");
      }
      if (callsMin < 1 || window < callsMin) {
        throw new IllegalArgumentException("window must hold at least callsMin calls, at least 1");
      }
    }

    /// 50 % of at least 20 calls, for 2 minutes.
    public static Settings standard() {
      return new Settings(0.5, 20, 100, Duration.ofMinutes(2));
    }
  }

  public enum State {
    CLOSED,
    OPEN,
    TRIAL
  }

  private final Settings settings;
  private final BitSet failures = new BitSet();
  private State state = State.CLOSED;
  private Instant openUntil = Instant.MIN;
  private boolean trialUnderWay;
  private int calls;
  private int at;

  public Breaker(Settings settings) {
    this.settings = settings;
  }

  /// How many calls it would let through now, at most.
  public int allows(Instant now) {
    return switch (stateAt(now)) {
      case CLOSED -> Integer.MAX_VALUE;
      case OPEN -> 0;
      case TRIAL -> trialUnderWay ? 0 : 1;
    };
  }

  public State stateAt(Instant now) {
    if (state == State.OPEN && !now.isBefore(openUntil)) state = State.TRIAL;
    return state;
  }

  void begun(Instant now) {
    if (stateAt(now) == State.TRIAL) trialUnderWay = true;
  }

  /// The call was given up before it was made.
  void returned() {
    trialUnderWay = false;
  }

  void ended(boolean failed, Instant now) {
    switch (stateAt(now)) {
      case TRIAL -> {
        trialUnderWay = false;
        if (failed) open(now);
        else close();
      }
      case CLOSED -> count(failed, now);
      case OPEN -> {} // an answer from before it opened
    }
  }

  /// The partner lets none of us in: whoever calls next would fare no better.
  void trip(Instant now) {
    trialUnderWay = false;
    if (stateAt(now) != State.OPEN) open(now);
  }

  private void count(boolean failed, Instant now) {
    failures.set(at, failed);
    at = (at + 1) % settings.window();
    calls = Math.min(calls + 1, settings.window());
    if (calls >= settings.callsMin() && failures.cardinality() >= settings.failureShare() * calls) {
      open(now);
    }
  }

  private void open(Instant now) {
    state = State.OPEN;
    openUntil = now.plus(settings.openFor());
  }

  private void close() {
    state = State.CLOSED;
    failures.clear();
    calls = 0;
    at = 0;
  }
}
