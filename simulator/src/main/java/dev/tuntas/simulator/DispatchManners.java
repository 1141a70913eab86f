package dev.tuntas.simulator;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// How the simulated dispatch partner behaves.
///
/// @param line what happens to calls on their way
/// @param pollErrorRate the share of questions for a job that are answered with 500
/// @param rateLimitPerS how many calls it takes within any second
public record DispatchManners(
    Behaviour line, double pollErrorRate, long rateLimitPerS, Callbacks callbacks, Trips trips) {

  /// @param rate the share of job ids that are told by a callback
  /// @param tripRate the same of all later news
  /// @param delay how long after the event it is told
  /// @param duplicateRate the share that is told twice
  /// @param reorderRate the share that is held back until later news has come
  public record Callbacks(
      double rate, double tripRate, Span delay, double duplicateRate, double reorderRate) {}

  /// @param assign how long until a booking has its job
  /// @param lateRate the share of bookings that wait for `late` instead
  /// @param driverRate the share of attempts that find a driver
  /// @param search how long that takes
  /// @param attemptMs how long an attempt lasts that finds none
  /// @param driverCancelRate the share of drivers who turn back before the pick-up
  /// @param paused whether nothing happens by itself; what was to happen then happens afterwards
  public record Trips(
      Span assign,
      double lateRate,
      Span late,
      double driverRate,
      Span search,
      long attemptMs,
      double driverCancelRate,
      Span pickUp,
      Span trip,
      boolean paused) {}

  private static final long MINUTE_MS = 60_000;
  private static final long DELAY_MS_MAX = 60 * MINUTE_MS;
  private static final long RATE_LIMIT_MAX = 1_000_000;

  public static final DispatchManners STANDARD =
      new DispatchManners(
          Behaviour.CALM,
          0,
          200,
          new Callbacks(0.95, 1, new Span(1_000, 3_000), 0, 0),
          new Trips(
              new Span(500, 1_500),
              0,
              new Span(10 * MINUTE_MS, 15 * MINUTE_MS),
              1,
              new Span(1_000, 3_000),
              2 * MINUTE_MS,
              0,
              new Span(3_000, 6_000),
              new Span(5_000, 10_000),
              false));

  private static final Set<String> FIELDS =
      Set.of(
          "down",
          "error_rate",
          "latency_ms",
          "lost_reply_rate",
          "poll_error_rate",
          "rate_limit_per_s",
          "callback_rate",
          "trip_callback_rate",
          "callback_delay_ms",
          "duplicate_rate",
          "reorder_rate",
          "assign_delay_ms",
          "late_rate",
          "late_delay_ms",
          "driver_rate",
          "search_ms",
          "attempt_ms",
          "driver_cancel_rate",
          "pick_up_ms",
          "trip_ms",
          "paused",
          "reset");

  /// This with the fields that are named; with `"reset": true`, the standard with them.
  public Change<DispatchManners> with(Map<String, ?> changes) {
    return Wishes.read(
        changes, FIELDS, wishes -> (wishes.flag("reset", false) ? STANDARD : this).with(wishes));
  }

  private DispatchManners with(Wishes wishes) {
    return new DispatchManners(
        line.with(wishes),
        wishes.rate("poll_error_rate", pollErrorRate),
        wishes.whole("rate_limit_per_s", 1, RATE_LIMIT_MAX, rateLimitPerS),
        with(wishes, callbacks),
        with(wishes, trips));
  }

  private static Callbacks with(Wishes wishes, Callbacks from) {
    return new Callbacks(
        wishes.rate("callback_rate", from.rate),
        wishes.rate("trip_callback_rate", from.tripRate),
        wishes.span("callback_delay_ms", DELAY_MS_MAX, from.delay),
        wishes.rate("duplicate_rate", from.duplicateRate),
        wishes.rate("reorder_rate", from.reorderRate));
  }

  private static Trips with(Wishes wishes, Trips from) {
    return new Trips(
        wishes.span("assign_delay_ms", DELAY_MS_MAX, from.assign),
        wishes.rate("late_rate", from.lateRate),
        wishes.span("late_delay_ms", DELAY_MS_MAX, from.late),
        wishes.rate("driver_rate", from.driverRate),
        wishes.span("search_ms", DELAY_MS_MAX, from.search),
        wishes.whole("attempt_ms", 1, DELAY_MS_MAX, from.attemptMs),
        wishes.rate("driver_cancel_rate", from.driverCancelRate),
        wishes.span("pick_up_ms", DELAY_MS_MAX, from.pickUp),
        wishes.span("trip_ms", DELAY_MS_MAX, from.trip),
        wishes.flag("paused", from.paused));
  }

  /// By the names under which it is changed.
  public Map<String, Object> told() {
    var told = new LinkedHashMap<String, Object>();
    told.put("down", line.down());
    told.put("error_rate", line.errorRate());
    told.put("latency_ms", line.latencyMs());
    told.put("lost_reply_rate", line.lostReplyRate());
    told.put("poll_error_rate", pollErrorRate);
    told.put("rate_limit_per_s", rateLimitPerS);
    told.put("callback_rate", callbacks.rate);
    told.put("trip_callback_rate", callbacks.tripRate);
    told.put("callback_delay_ms", callbacks.delay.told());
    told.put("duplicate_rate", callbacks.duplicateRate);
    told.put("reorder_rate", callbacks.reorderRate);
    told.put("assign_delay_ms", trips.assign.told());
    told.put("late_rate", trips.lateRate);
    told.put("late_delay_ms", trips.late.told());
    told.put("driver_rate", trips.driverRate);
    told.put("search_ms", trips.search.told());
    told.put("attempt_ms", trips.attemptMs);
    told.put("driver_cancel_rate", trips.driverCancelRate);
    told.put("pick_up_ms", trips.pickUp.told());
    told.put("trip_ms", trips.trip.told());
    told.put("paused", trips.paused);
    return told;
  }
}
