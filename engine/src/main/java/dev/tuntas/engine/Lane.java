package dev.tuntas.engine;

import static java.util.Objects.requireNonNull;

import dev.tuntas.engine.Next.Rank;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A partner's lane: how many calls may go to it, by rate, concurrency and breaker. A permit is
/// taken before a call is noted as sent, and every permit is either returned unused or ended.
public final class Lane {

  /// Limits of one partner. The rate is for all nodes together; concurrency is for each node.
  public record Settings(String name, double perSecond, int concurrency, Breaker.Settings breaker) {

    public Settings {
      if (!(perSecond > 0)) throw new IllegalArgumentException("perSecond must be above 0");
      if (concurrency < 1) throw new IllegalArgumentException("concurrency must be at least 1");
    }

    public static Settings of(String name) {
      return new Settings(
          name, Double.POSITIVE_INFINITY, Integer.MAX_VALUE, Breaker.Settings.standard());
    }

    public Settings perSecond(double calls) {
      return new Settings(name, calls, concurrency, breaker);
    }

    public Settings concurrency(int calls) {
      return new Settings(name, perSecond, calls, breaker);
    }

    public Settings breaker(Breaker.Settings with) {
      return new Settings(name, perSecond, concurrency, with);
    }
  }

  /// To make one call. Either it is given back unused, or the call is over: one of the two, once.
  final class Permit {

    /// See [Breaker#begun].
    private final long generation;

    private Permit(long generation) {
      this.generation = generation;
    }

    Lane lane() {
      return Lane.this;
    }

    void giveBack() {
      Lane.this.giveBack(this);
    }

    /// The call is over. Returns whether the partner is left alone now.
    ///
    /// @param fit whether this process can judge: while its own store does not answer, what goes
    ///   wrong says nothing about the partner
    boolean ended(Outcome<?> outcome, Instant begun, Instant now, boolean fit) {
      return Lane.this.ended(this, outcome, begun, now, fit);
    }
  }

  /// Hears of a breaker that opens or closes.
  interface BreakerListener {
    void changed(String lane, Breaker.State state);
  }

  /// With a burst of a tenth of a second on top, no second holds more than the limit.
  private static final double SHARE = 0.9;

  private static final double AGAIN_SHARE = 0.5;

  private static final Duration BURST = Duration.ofMillis(100);

  private final Settings settings;
  private final Map<Rank, Integer> numbers;
  private final BreakerListener listener;
  private final Breaker breaker;
  private double tokens;
  private double perSecond;
  private @Nullable Instant filledAt;
  private int underWay;
  private boolean crowded;
  private double owed;
  private volatile boolean onTrial;
  private Permit permit = new Permit(0);

  /// @param numbers where in the store those of each rank wait
  Lane(Settings settings, Map<Rank, Integer> numbers, BreakerListener listener) {
    this.settings = settings;
    this.numbers = new EnumMap<>(numbers);
    this.listener = listener;
    this.breaker = new Breaker(settings.breaker());
    this.perSecond = settings.perSecond() * SHARE;
    this.tokens = burst();
  }

  public String name() {
    return settings.name();
  }

  /// Where those of a rank wait. Without a limit nobody has to stand back, and looking in one place
  /// is cheaper than in three.
  int number(Rank rank) {
    return placeOf(hasLimit() ? rank : Rank.ACT);
  }

  /// Where those of a rank wait, or waited when there was a limit.
  int placeOf(Rank rank) {
    return requireNonNull(numbers.get(rank));
  }

  boolean hasLimit() {
    return settings.perSecond() < Double.POSITIVE_INFINITY
        || settings.concurrency() < Integer.MAX_VALUE;
  }

  /// Whether calls leave one after the other, by its limit or because its partner has just come
  /// back.
  boolean isPaced() {
    return onTrial || hasLimit();
  }

  /// Where the calls of those with a permit leave.
  Gate gate(Timers timers, LongSupplier nanos) {
    return new Gate(this::pace, BURST, timers, nanos);
  }

  private synchronized double pace() {
    return breaker.pace(perSecond);
  }

  /// Shares the rate among so many living nodes.
  synchronized void share(int nodes) {
    perSecond = settings.perSecond() * SHARE / Math.max(1, nodes);
  }

  /// How many permits could be had now.
  public synchronized int available(Instant now) {
    fill(now);
    int free = settings.concurrency() - underWay;
    return Math.min(Math.min(free, breaker.allows(now)), (int) Math.min(tokens, 1_000_000));
  }

  public synchronized Breaker.State breaker() {
    return breaker.state();
  }

  /// Whether more wait here than may go, so that nobody overtakes them but those who act.
  void crowded(boolean is, Instant now) {
    Breaker.State before;
    Breaker.State after;
    synchronized (this) {
      crowded = is;
      before = breaker.state();
      if (!is) breaker.nobodyWaits(now);
      after = breaker.state();
      if (before != after) onTrial = after == Breaker.State.TRIAL;
    }
    if (before != after) listener.changed(name(), after);
  }

  /// How many of these permits are for questions that were asked before, even when there are many
  /// that were not.
  synchronized int keptForAgain(int permits) {
    owed += permits * AGAIN_SHARE;
    int kept = (int) owed;
    owed -= kept;
    return kept;
  }

  synchronized boolean isCrowded() {
    return crowded;
  }

  /// A permit for one who did not wait here.
  synchronized @Nullable Permit tryAcquire(Rank rank, Instant now) {
    return rank == Rank.ACT || !crowded ? tryAcquire(now) : null;
  }

  synchronized @Nullable Permit tryAcquire(Instant now) {
    if (available(now) < 1) return null;
    tokens -= 1;
    underWay += 1;
    long generation = breaker.begun(now);
    if (permit.generation != generation) permit = new Permit(generation);
    return permit;
  }

  private synchronized void giveBack(Permit unused) {
    tokens = Math.min(tokens + 1, burst());
    underWay -= 1;
    breaker.returned(unused.generation);
  }

  private boolean ended(Permit used, Outcome<?> outcome, Instant begun, Instant now, boolean fit) {
    long call = used.generation;
    Breaker.State before;
    Breaker.State after;
    synchronized (this) {
      underWay -= 1;
      before = breaker.state();
      switch (says(outcome)) {
        case GOOD -> breaker.ended(call, false, begun, now, perSecond);
        case TROUBLE -> {
          if (fit) breaker.ended(call, true, begun, now, perSecond);
          else breaker.returned(call);
        }
        case BARRED -> breaker.trip(now);
        case NOTHING -> breaker.returned(call);
      }
      after = breaker.state();
      if (before != after) onTrial = after == Breaker.State.TRIAL;
    }
    if (before != after) listener.changed(name(), after);
    return after == Breaker.State.OPEN;
  }

  /// What an outcome says about the partner.
  private enum Word {
    GOOD,
    TROUBLE,
    BARRED,
    NOTHING
  }

  private static Word says(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Succeeded<?> _ -> Word.GOOD;
      case Outcome.Unclear<?>(_, var doubt) ->
          switch (doubt) {
            case NO_ANSWER -> Word.TROUBLE;
            case PENDING -> Word.GOOD;
            case OURS -> Word.NOTHING;
          };
      case Outcome.Failed<?>(Failure.Unavailable away) -> away.ours() ? Word.NOTHING : Word.TROUBLE;
      case Outcome.Failed<?>(Failure.Barred _) -> Word.BARRED;
      case Outcome.Failed<?> _ -> Word.GOOD;
    };
  }

  private void fill(Instant now) {
    double pace = breaker.pace(perSecond);
    if (pace == Double.POSITIVE_INFINITY) {
      tokens = Double.POSITIVE_INFINITY;
      return;
    }
    if (filledAt == null || now.isBefore(filledAt)) filledAt = now; // the store's clock may go back
    double gained = pace * Duration.between(filledAt, now).toNanos() / 1e9;
    tokens = Math.min(tokens + gained, burst());
    filledAt = now;
  }

  private double burst() {
    return Math.max(1, breaker.pace(perSecond) * BURST.toMillis() / 1000.0);
  }
}
