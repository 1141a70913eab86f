package dev.tuntas.simulator;

import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.simulator.DispatchManners.Callbacks;
import dev.tuntas.simulator.DispatchManners.Trips;
import dev.tuntas.simulator.Journey.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Decides what happens to a booking next, and when; and how it is told. It reads no clock and no
/// table.
final class Course {

  /// How long news is held back that is to come out of order: longer than most steps of a trip.
  private static final Span HELD_BACK = new Span(10_000, 20_000);

  /// What a booking has become, and the callbacks that tell it.
  record Turn(Journey journey, List<Telling> callbacks) {}

  /// @param copy 0, or 1 for the same news told again
  record Telling(DispatchEvent event, int copy, Instant at) {}

  private final DispatchManners manners;
  private final RandomGenerator chance;
  private final Instant now;

  Course(DispatchManners manners, RandomGenerator chance, Instant now) {
    this.manners = manners;
    this.chance = chance;
    this.now = now;
  }

  Journey booked(String bookingId, String orderId) {
    var trips = manners.trips();
    var wait = happens(trips.lateRate()) ? trips.late() : trips.assign();
    return new Journey(bookingId, orderId, State.BOOKED, null, 0, null, now, in(wait), 0);
  }

  /// Someone looks for a driver: one is found before long, or none until the attempt is over.
  Journey dispatched(Journey journey, int attempt) {
    var trips = manners.trips();
    boolean found = happens(trips.driverRate());
    var driver = found ? "drv-" + (1_000 + chance.nextInt(9_000)) : null;
    var wait = found ? trips.search().drawn(chance) : Duration.ofMillis(trips.attemptMs());
    return journey.withAttempt(attempt, driver).becoming(State.SEARCHING, now, now.plus(wait));
  }

  /// What happens to a booking when its time has come.
  Turn next(Journey journey) {
    var trips = manners.trips();
    return switch (journey.state()) {
      case BOOKED ->
          told(
              journey.withJob(jobOf(journey.bookingId())).becoming(State.WAITING, now, null),
              DispatchEvent.Type.JOB_ASSIGNED);
      case SEARCHING ->
          journey.driverId() == null
              ? told(journey.becoming(State.WAITING, now, null), DispatchEvent.Type.NO_DRIVER)
              : told(
                  journey.becoming(State.DRIVER_ASSIGNED, now, in(trips.pickUp())),
                  DispatchEvent.Type.DRIVER_ASSIGNED);
      case DRIVER_ASSIGNED -> metOrLeft(journey, trips);
      case PICKED_UP ->
          told(journey.becoming(State.COMPLETED, now, null), DispatchEvent.Type.COMPLETED);
      case WAITING, COMPLETED, CANCELLED -> new Turn(journey, List.of());
    };
  }

  private Turn metOrLeft(Journey journey, Trips trips) {
    return happens(trips.driverCancelRate())
        ? told(journey.becoming(State.CANCELLED, now, null), DispatchEvent.Type.DRIVER_CANCELLED)
        : told(
            journey.becoming(State.PICKED_UP, now, in(trips.trip())), DispatchEvent.Type.PICKED_UP);
  }

  /// The newest news of a driver once more, for one who has not heard it.
  Turn again(Journey journey) {
    var type =
        switch (journey.state()) {
          case DRIVER_ASSIGNED -> DispatchEvent.Type.DRIVER_ASSIGNED;
          case PICKED_UP -> DispatchEvent.Type.PICKED_UP;
          case COMPLETED -> DispatchEvent.Type.COMPLETED;
          default -> throw new IllegalArgumentException("no driver while " + journey.state());
        };
    return told(journey, type);
  }

  static String jobOf(String bookingId) {
    return "job-" + bookingId.substring(bookingId.indexOf('-') + 1);
  }

  private Instant in(Span wait) {
    return now.plus(wait.drawn(chance));
  }

  private Turn told(Journey journey, DispatchEvent.Type type) {
    var ways = manners.callbacks();
    var callbacks = new ArrayList<Telling>();
    if (happens(type == DispatchEvent.Type.JOB_ASSIGNED ? ways.rate() : ways.tripRate())) {
      var event = event(journey, type);
      callbacks.add(new Telling(event, 0, at(ways)));
      if (happens(ways.duplicateRate())) callbacks.add(new Telling(event, 1, at(ways)));
    }
    return new Turn(journey, callbacks);
  }

  private Instant at(Callbacks ways) {
    var at = in(ways.delay());
    return happens(ways.reorderRate()) ? at.plus(HELD_BACK.drawn(chance)) : at;
  }

  private DispatchEvent event(Journey journey, DispatchEvent.Type type) {
    int attempt = type == DispatchEvent.Type.JOB_ASSIGNED ? 0 : journey.attempt();
    var news = type.name().toLowerCase(Locale.ROOT);
    return new DispatchEvent(
        journey.bookingId() + "/" + news + "/" + attempt,
        type,
        journey.orderId(),
        journey.bookingId(),
        journey.jobId(),
        type == DispatchEvent.Type.NO_DRIVER ? null : journey.driverId(),
        reason(type),
        attempt,
        journey.since());
  }

  private static @Nullable String reason(DispatchEvent.Type type) {
    return type == DispatchEvent.Type.DRIVER_CANCELLED ? "The driver turned back." : null;
  }

  private boolean happens(double rate) {
    return rate > 0 && (rate >= 1 || chance.nextDouble() < rate);
  }
}
