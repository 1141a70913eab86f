package dev.tuntas.simulator;

import dev.tuntas.engine.Trouble;
import dev.tuntas.rides.Dispatch;
import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.simulator.Course.Telling;
import dev.tuntas.simulator.Course.Turn;
import dev.tuntas.simulator.Journey.State;
import dev.tuntas.simulator.Journeys.Due;
import dev.tuntas.store.Session;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A dispatch partner with a ledger of its own. It books, dispatches and cancels once per key,
/// gives bookings their jobs, sends drivers, and tells of it by callbacks as far as its manners let
/// it.
///
/// What is to happen is in its tables: after a restart, [#resume] goes on.
public final class SimulatedDispatch implements Dispatch {

  public static final TableSet TABLES = TableSet.of("dispatch");

  private static final Logger log = LoggerFactory.getLogger(SimulatedDispatch.class);
  private static final String PREFIX = "bbd-";
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int AT_ONCE = 500;

  /// What it was asked since it started.
  ///
  /// @param highestPerSecond the most calls within any second
  /// @param violations the calls beyond the rate limit
  public record Traffic(long calls, int highestPerSecond, long violations) {}

  /// How a booking stands, as the partner tells it over HTTP.
  public record JobStatus(
      String bookingId, @Nullable String jobId, String status, @Nullable String driverId) {

    private static final String LEFT = "cancelled_by_driver";

    static JobStatus of(Journey journey) {
      var status = journey.wasLeft() ? LEFT : journey.state().name().toLowerCase(Locale.ROOT);
      return new JobStatus(journey.bookingId(), journey.jobId(), status, journey.driver());
    }

    Outcome<Job> job() {
      if (jobId != null) return Outcome.done(new Job(jobId, Status.of(status), driverId));
      return status.equals("cancelled")
          ? cancelled()
          : Outcome.pending("The partner has not assigned a job yet.");
    }
  }

  private final Tables tables;
  private final Effects effects;
  private final Journeys journeys = new Journeys();
  private final RandomGenerator chance;
  private final Weather line;
  private final InstantSource clock;
  private final Timer timer;
  private final Trouble trouble = new Trouble(log, "A callback");
  private final Consumer<DispatchEvent> listener;
  private final CallRate rate = new CallRate();
  private volatile DispatchManners manners = DispatchManners.STANDARD;

  /// @param listener hears the callbacks; what it throws loses the callback
  public SimulatedDispatch(
      Tables tables,
      RandomGenerator chance,
      Pause pause,
      InstantSource clock,
      Timer timer,
      Consumer<DispatchEvent> listener) {
    this.tables = tables;
    this.effects = new Effects(tables);
    this.chance = chance;
    this.line = new Weather(chance, pause);
    this.clock = clock;
    this.timer = timer;
    this.listener = listener;
  }

  public DispatchManners manners() {
    return manners;
  }

  /// Changes the fields that are named, or nothing.
  public synchronized Change<DispatchManners> change(Map<String, ?> changes) {
    var before = manners;
    var change = before.with(changes);
    if (change instanceof Change.Changed<DispatchManners>(var changed)) {
      manners = changed;
      if (before.trips().paused() && !changed.trips().paused()) goOn();
    }
    return change;
  }

  public Traffic traffic() {
    return rate.traffic();
  }

  /// Goes on with what was to happen when the process before this one ended.
  public void resume() {
    goOn();
    tables.read("find callbacks", journeys::callbacks).forEach(this::callLater);
  }

  private void goOn() {
    var now = clock.instant();
    var due = tables.read("find what is due", journeys::due);
    due.stream().filter(it -> it.at().isAfter(now)).forEach(it -> wake(it.bookingId(), it.at()));
    var overdue = due.stream().filter(it -> !it.at().isAfter(now)).map(Due::bookingId).toList();
    timer.after(Duration.ZERO, () -> catchUp(overdue));
  }

  /// Moves what is overdue, some at a time: a hundred thousand at once would be more than memory
  /// holds.
  private void catchUp(List<String> overdue) {
    if (overdue.isEmpty() || manners.trips().paused()) return;
    int count = Math.min(overdue.size(), AT_ONCE);
    var first = overdue.subList(0, count);
    tables.write("move bookings", session -> moved(session, first)).forEach(this::follow);
    timer.after(Duration.ZERO, () -> catchUp(overdue.subList(count, overdue.size())));
  }

  private List<Turn> moved(Session session, List<String> bookingIds) throws SQLException {
    var turns = new ArrayList<Turn>();
    for (var id : bookingIds) moved(session, id).ifPresent(turns::add);
    return turns;
  }

  @Override
  public Outcome<Booking> book(Ride ride, String key) {
    return call(
        () -> {
          var planned = decide(course -> course.booked(PREFIX + key, ride.orderId()));
          var outcome = tables.write("book", session -> booked(session, planned, key));
          if (outcome instanceof Outcome.Succeeded<Boolean>(var anew) && anew) wake(planned);
          return outcome.map(_ -> new Booking(planned.bookingId()));
        });
  }

  private Outcome<Boolean> booked(Session session, Journey planned, String key)
      throws SQLException {
    var id = planned.bookingId();
    if (journeys.add(session, planned)) {
      effects.add(session, effect("book", key, planned.orderId(), "booked"));
      return Outcome.done(true);
    }
    var known = journeys.find(session, id);
    if (known.isEmpty()) return cancelled();
    return known.get().orderId().equals(planned.orderId()) ? Outcome.done(false) : reused(key);
  }

  @Override
  public Outcome<Job> job(String bookingId) {
    return switch (status(bookingId)) {
      case Outcome.Succeeded<JobStatus>(var told) -> told.job();
      case Outcome.Failed<JobStatus>(var failure) -> new Outcome.Failed<>(failure);
      case Outcome.Unclear<JobStatus>(var why, var doubt) -> new Outcome.Unclear<>(why, doubt);
    };
  }

  /// How a booking stands, whether it has a job or not.
  public Outcome<JobStatus> status(String bookingId) {
    return call(
        () -> {
          if (happens(manners.pollErrorRate())) return Outcome.unclear("500 for a question");
          return tables
              .read("find a booking", session -> journeys.find(session, bookingId))
              .map(journey -> Outcome.done(JobStatus.of(journey)))
              .orElseGet(SimulatedDispatch::unknown);
        });
  }

  @Override
  public Outcome<Booking> dispatch(String bookingId, int attempt, String key) {
    return call(
        () -> {
          var outcome =
              tables.write("dispatch", session -> dispatched(session, bookingId, attempt, key));
          if (outcome instanceof Outcome.Succeeded<Turn>(var turn)) follow(turn);
          return outcome.map(_ -> new Booking(bookingId));
        });
  }

  private Outcome<Turn> dispatched(Session session, String bookingId, int attempt, String key)
      throws SQLException {
    var found = journeys.find(session, bookingId);
    if (found.isEmpty()) return unknown();
    var journey = found.get();
    var known = effects.find(session, "dispatch", key);
    if (known.isPresent()) {
      return known.get().orderId().equals(journey.orderId())
          ? Outcome.done(new Turn(journey, List.of()))
          : reused(key);
    }
    return switch (journey.state()) {
      case BOOKED ->
          Outcome.unavailable("job_not_assigned", "The booking has no job yet to dispatch.");
      case CANCELLED -> cancelled();
      case WAITING, SEARCHING -> {
        var searching = decide(course -> course.dispatched(journey, attempt));
        yield moved(session, searching, effect("dispatch", key, journey.orderId(), "dispatched"));
      }
      case DRIVER_ASSIGNED, PICKED_UP, COMPLETED -> {
        var again = decide(course -> course.again(journey));
        journeys.add(session, again.callbacks());
        yield Outcome.done(again);
      }
    };
  }

  private Outcome<Turn> moved(Session session, Journey next, Effect effect) throws SQLException {
    if (!journeys.move(session, next)) {
      return Outcome.unavailable("booking_busy", "Something else happens to the booking just now.");
    }
    effects.add(session, effect);
    return Outcome.done(new Turn(next, List.of()));
  }

  /// By the booking's id; or by the key under which it was or will be booked, if the answer to that
  /// was never heard. What is still on its way then finds a tombstone.
  @Override
  public Outcome<Booking> cancel(String bookingId, String key) {
    boolean isId = bookingId.startsWith(PREFIX);
    var id = isId ? bookingId : PREFIX + bookingId;
    return call(
        () ->
            tables.write("cancel", session -> cancelled(session, id, isId, key)).map(Booking::new));
  }

  private Outcome<String> cancelled(Session session, String id, boolean isId, String key)
      throws SQLException {
    if (!isId) journeys.bury(session, id, clock.instant());
    var found = journeys.find(session, id);
    if (found.isEmpty()) return isId ? unknown() : Outcome.done(id);
    var journey = found.get();
    var known = effects.find(session, "cancel", key);
    if (known.isPresent() && !known.get().orderId().equals(journey.orderId())) return reused(key);
    if (journey.state().isOver()) return Outcome.done(id);
    return moved(
            session,
            journey
                .withAttempt(journey.attempt(), null)
                .becoming(State.CANCELLED, clock.instant(), null),
            effect("cancel", key, journey.orderId(), "cancelled"))
        .map(_ -> id);
  }

  private Effect effect(String operation, String key, String order, String result) {
    return new Effect(clock.instant(), operation, key, order, null, result, List.of());
  }

  private static <T> Outcome<T> unknown() {
    return Outcome.declined("booking_unknown", "The partner does not know the booking.");
  }

  private static <T> Outcome<T> cancelled() {
    return Outcome.declined("booking_cancelled", "The booking was taken back.");
  }

  private static <T> Outcome<T> reused(String key) {
    return Outcome.declined(
        "idempotency_key_reused", "The key '" + key + "' was used for another request.");
  }

  /// A call meets the rate limit first: one that is refused for it has done nothing.
  private <T> Outcome<T> call(Supplier<Outcome<T>> effect) {
    var now = manners;
    if (!now.line().down() && rate.exceeds(now.rateLimitPerS(), clock.instant())) {
      return new Outcome.Failed<>(
          new Failure.Unavailable(
              "rate_limited", "429: more than " + now.rateLimitPerS() + " calls a second", SECOND));
    }
    return line.call(now.line(), effect);
  }

  private void follow(Turn turn) {
    wake(turn.journey());
    turn.callbacks().forEach(this::callLater);
  }

  private void wake(Journey journey) {
    var due = journey.dueAt();
    if (due != null) wake(journey.bookingId(), due);
  }

  private void wake(String bookingId, Instant due) {
    timer.after(until(due), () -> next(bookingId));
  }

  /// What was woken too early, or for something that has changed since, is woken again in time.
  private void next(String bookingId) {
    if (manners.trips().paused()) return;
    tables.write("move a booking", session -> moved(session, bookingId)).ifPresent(this::follow);
  }

  private Optional<Turn> moved(Session session, String bookingId) throws SQLException {
    var found = journeys.find(session, bookingId);
    if (found.isEmpty()) return Optional.empty();
    var due = found.get().dueAt();
    if (due == null) return Optional.empty();
    if (due.isAfter(clock.instant())) return Optional.of(new Turn(found.get(), List.of()));
    var turn = decide(course -> course.next(found.get()));
    if (!journeys.move(session, turn.journey())) return Optional.empty();
    journeys.add(session, turn.callbacks());
    return Optional.of(turn);
  }

  private void callLater(Telling callback) {
    timer.after(until(callback.at()), () -> call(callback));
  }

  private void call(Telling callback) {
    try {
      listener.accept(callback.event());
      trouble.worked();
    } catch (RuntimeException e) {
      trouble.failed(e.toString());
    }
    tables.write(
        "forget a callback",
        session -> {
          journeys.remove(session, callback);
          return true;
        });
  }

  private Duration until(Instant time) {
    var wait = Duration.between(clock.instant(), time);
    return wait.isNegative() ? Duration.ZERO : wait;
  }

  private <T> T decide(Function<Course, T> decision) {
    synchronized (chance) {
      return decision.apply(new Course(manners, chance, clock.instant()));
    }
  }

  private boolean happens(double share) {
    if (share <= 0) return false;
    synchronized (chance) {
      return chance.nextDouble() < share;
    }
  }
}
