package dev.tuntas.orders;

import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Progress;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.State;
import dev.tuntas.rides.Closing;
import dev.tuntas.rides.Trip;
import dev.tuntas.saga.AskPolicy;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Tells what happens to rides, in numbers: how their job ids are learned, how drivers are found,
/// how they end. What it tells of a ride follows from two of its durable states alone, so that it
/// needs no memory of the ride and any process can go on with it.
public final class RideJournal implements EngineListener {

  /// The area and the service of a ride that began in no area: its own service type comes from a
  /// client, and there may be any number of those.
  public static final String OTHER = "other";

  private static final Duration LATELY = Duration.ofMinutes(5);

  private final RideWatch watch;
  private final InstantSource clock;
  private final RecentMean attempts;

  public RideJournal(RideWatch watch, InstantSource clock) {
    this.watch = watch;
    this.clock = clock;
    this.attempts = new RecentMean(LATELY, clock);
  }

  /// How often the partner was asked, in the mean, for the job ids that it named lately.
  public double attemptsMean() {
    return attempts.get();
  }

  // Questions

  @Override
  public void called(
      SagaDefinition<?> saga,
      Direction direction,
      Call call,
      Outcome<?> outcome,
      Duration duration) {
    if (direction != Direction.ASK || !call.step().equals(RideSaga.JOB)) return;
    watch.count(RideMetric.RETRIEVAL_ATTEMPTS);
    if (outcome instanceof Outcome.Succeeded<?>) watch.count(RideMetric.RETRIEVAL_SUCCESS);
    RetrievalError.of(outcome)
        .ifPresent(error -> watch.count(RideMetric.RETRIEVAL_FAILED, error.label()));
  }

  // Turns

  @Override
  public <D> void changed(SagaDefinition<D> saga, String id, State<D> before, State<D> after) {
    if (!(before.data() instanceof Order old) || !(after.data() instanceof Order now)) return;
    if (now.trip() == null || old.trip() == null) return;
    if (before.trail().cause() != null) return; // it is over already
    var change = new Change(rides(saga), now, before, after, clock.instant());
    if (old.ride().job() == null) learned(change);
    var cause = after.trail().cause();
    if (cause != null) {
      ended(change, cause);
    } else if (change.wasWaiting() && !isWaiting(after.progress())) {
      found(change);
    } else {
      begun(change);
    }
  }

  @SuppressWarnings("unchecked") // its data is an order
  private static SagaDefinition<Order> rides(SagaDefinition<?> saga) {
    return (SagaDefinition<Order>) saga;
  }

  private record Change(
      SagaDefinition<Order> saga, Order order, State<?> before, State<?> after, Instant now) {

    Trip trip() {
      return order.ride();
    }

    double age() {
      return seconds(Duration.between(trip().wish().acceptedAt(), now));
    }

    String area() {
      var area = trip().wish().areaId();
      return area == null ? OTHER : area;
    }

    String service() {
      return trip().wish().areaId() == null ? OTHER : trip().wish().serviceType();
    }

    boolean wasWaiting() {
      return isWaiting(before.progress());
    }

    /// The search for a driver as it stood before.
    @Nullable Asking search() {
      return searchIn(before);
    }

    static @Nullable Asking searchIn(State<?> state) {
      return state.progress() instanceof Asking asking && asking.step().equals(RideSaga.DRIVER)
          ? asking
          : null;
    }
  }

  private static boolean isWaiting(Progress progress) {
    return switch (RideStanding.status(progress)) {
      case RideStanding.PENDING_JOB_ID, RideStanding.ASSIGNED -> true;
      default -> false;
    };
  }

  private void learned(Change change) {
    var job = change.trip().job();
    if (job == null) return;
    watch.count(RideMetric.JOB_IDS);
    watch.record(RideMetric.RETRIEVAL_DURATION, change.age());
    switch (job.method()) {
      case CALLBACK -> watch.count(RideMetric.VIA_CALLBACK);
      case PROACTIVE -> {
        watch.count(RideMetric.VIA_PROACTIVE);
        watch.record(RideMetric.RETRIEVAL_ATTEMPTS_PER_ORDER, job.attempts());
        attempts.add(job.attempts());
      }
    }
  }

  // Drivers

  /// A driver may be told of before any was looked for.
  private void found(Change change) {
    var search = change.search();
    var begin = search == null ? change.now : begin(change, search);
    attempt(change, "assigned", Duration.between(begin, change.now));
    perOrder(search);
    lifetime(change, "assigned");
  }

  /// A new attempt means that the one before it came to nothing. What could not be started is none,
  /// and before the first has lasted its time there is no second.
  private void begun(Change change) {
    var before = change.search();
    var after = Change.searchIn(change.after);
    if (before == null || after == null || after.asks() <= Math.max(1, before.asks())) return;
    if (!AskPolicy.begins(after.asks()) || !isStarted(change, after)) return;
    var lasts = policy(change).lasts();
    if (change.now.isBefore(change.after.trail().stepSince().plus(lasts))) return;
    attempt(change, "timeout", lasts);
    watch.count(RideMetric.RETRIES, change.area(), change.service());
  }

  /// After an attempt that was started the next question waits for its end, after another for a
  /// pause. It was decided a moment ago, so neither fits exactly.
  private static boolean isStarted(Change change, Asking search) {
    var next = search.askAt();
    if (next == null) return false;
    var policy = policy(change);
    var wait = Duration.between(change.now, next);
    var pause = policy.then().after(RideSaga.attempt(search.asks()), 0);
    return wait.minus(policy.lasts()).abs().compareTo(wait.minus(pause).abs()) <= 0;
  }

  /// The attempt that was under way when the ride ended came to nothing if its time, or that of the
  /// ride, was over.
  private void searchedInVain(Change change, Asking search, boolean timeout) {
    if (search.asks() == 0) return;
    var lasts = policy(change).lasts();
    var lasted = Duration.between(begin(change, search), change.now);
    boolean over = lasted.compareTo(lasts) >= 0;
    if (over || timeout) attempt(change, "timeout", over ? lasts : lasted);
    perOrder(search);
  }

  private void attempt(Change change, String result, Duration lasted) {
    watch.count(RideMetric.ATTEMPTS, change.area(), change.service(), result);
    watch.record(RideMetric.ATTEMPT_DURATION, seconds(lasted), change.area(), change.service());
  }

  private void perOrder(@Nullable Asking search) {
    int attempts = search == null ? 1 : RideSaga.attempt(search.asks());
    watch.record(RideMetric.ATTEMPTS_PER_ORDER, Math.max(1, attempts));
  }

  /// When the last attempt began: its time before the next question, and the pause too if it is
  /// over.
  private static Instant begin(Change change, Asking search) {
    var since = change.before.trail().stepSince();
    var next = search.askAt();
    if (search.asks() == 0 || next == null) return since;
    var policy = policy(change);
    var begin = next.minus(policy.lasts());
    int attempt = RideSaga.attempt(search.asks());
    if (!AskPolicy.begins(search.asks())) begin = begin.minus(policy.then().after(attempt, 0));
    return begin.isBefore(since) ? since : begin;
  }

  private static AskPolicy policy(Change change) {
    return change.saga.steps().get(change.saga.indexOf(RideSaga.DRIVER)).ask(change.order);
  }

  // Ends

  private void ended(Change change, Failure cause) {
    var payment = RideStanding.payment(change.order, change.after.trail().facts());
    var closing = Closing.of(change.trip(), cause, payment);
    boolean timeout = cause instanceof Failure.Expired;
    if (timeout && change.trip().job() == null) watch.count(RideMetric.RETRIEVAL_EXCEEDED);
    var search = change.search();
    if (search != null) searchedInVain(change, search, timeout);
    boolean waited = change.wasWaiting();
    if (Closing.BY_USER.equals(closing.status())) {
      cancelled(change, "user");
      if (waited) lifetime(change, "cancelled_user");
    } else if (timeout && waited && closing.status() != null) {
      cancelled(change, "lifetime_timeout");
      lifetime(change, "cancelled_timeout");
    }
  }

  private void cancelled(Change change, String reason) {
    watch.count(RideMetric.CANCELS, change.area(), change.service(), reason);
  }

  private void lifetime(Change change, String result) {
    watch.record(RideMetric.LIFETIME, change.age(), change.area(), change.service(), result);
  }

  private static double seconds(Duration duration) {
    return Math.max(0, duration.toMillis()) / 1000.0;
  }
}
