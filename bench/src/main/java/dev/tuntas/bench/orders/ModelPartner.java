package dev.tuntas.bench.orders;

import dev.tuntas.rides.Dispatch;
import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.saga.Outcome;
import dev.tuntas.testkit.simulation.World.Outside;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A dispatch partner with memory of its own. It books once per key, assigns jobs and drivers when
/// it likes, and calls back late, twice, out of order or not at all, also about what was cancelled.
final class ModelPartner implements Dispatch {

  private enum State {
    BOOKED,
    COMPLETED,
    LEFT_BY_DRIVER,
    CANCELLED
  }

  private static final List<Status> ON_THE_WAY =
      List.of(Status.ASSIGNED, Status.DRIVER_ASSIGNED, Status.PICKED_UP, Status.COMPLETED);

  private static final class Trip {
    final String orderId;
    final String bookingId;
    State state = State.BOOKED;
    @Nullable String jobId;
    boolean driven;
    int shown;

    Trip(String orderId, int no) {
      this.orderId = orderId;
      this.bookingId = "b-" + no;
    }
  }

  private final Outside outside;
  private final RandomGenerator random;
  private final double callbacks;
  private final double drivers;
  private final Duration slowest;
  private final Map<String, Trip> byKey = new HashMap<>();
  private final Set<String> tombstones = new HashSet<>();
  private final Map<String, Trip> byBooking = new HashMap<>();
  private final Map<String, Integer> bookings = new HashMap<>();
  private int deliveries;

  ModelPartner(Outside outside, RandomGenerator random, Duration slowest) {
    this.outside = outside;
    this.random = random;
    this.slowest = slowest;
    this.callbacks = random.nextInt(4) == 0 ? 0 : random.nextDouble(0.3, 1);
    this.drivers = random.nextInt(4) == 0 ? 0 : random.nextDouble(0.2, 1);
  }

  @Override
  public Outcome<Booking> book(Ride ride, String key) {
    var known = byKey.get(key);
    if (known == null && tombstones.contains(key)) {
      return Outcome.declined("booking_cancelled", "It was taken back before it came.");
    }
    if (known == null) {
      known = new Trip(ride.orderId(), byBooking.size());
      byKey.put(key, known);
      byBooking.put(known.bookingId, known);
      bookings.merge(ride.orderId(), 1, Integer::sum);
      if (random.nextInt(10) > 0) known.jobId = "job-" + known.bookingId;
      if (known.jobId != null) tell(known, DispatchEvent.Type.JOB_ASSIGNED, 1);
    }
    return Outcome.done(new Booking(known.bookingId));
  }

  @Override
  public Outcome<Job> job(String bookingId) {
    var trip = trip(bookingId);
    if (trip.jobId == null && random.nextInt(3) == 0) trip.jobId = "job-" + bookingId;
    return trip.jobId == null
        ? Outcome.pending("not yet assigned")
        : Outcome.done(new Job(trip.jobId, status(trip), trip.driven ? "drv" : null));
  }

  /// A trip takes its time: who asks sees it go on, never back.
  private Status status(Trip trip) {
    if (trip.state == State.CANCELLED) return Status.CANCELLED;
    if (!trip.driven) return Status.ASSIGNED;
    boolean left = trip.state == State.LEFT_BY_DRIVER;
    if (left && trip.shown > 0 && random.nextBoolean()) return Status.CANCELLED_BY_DRIVER;
    trip.shown = Math.min(left ? 1 : ON_THE_WAY.size() - 1, trip.shown + random.nextInt(3));
    return ON_THE_WAY.get(trip.shown);
  }

  @Override
  public Outcome<Booking> dispatch(String bookingId, int attempt, String key) {
    var trip = trip(bookingId);
    if (trip.state != State.BOOKED || trip.driven) return Outcome.done(new Booking(bookingId));
    if (random.nextDouble() >= drivers) {
      tell(trip, DispatchEvent.Type.NO_DRIVER, attempt);
      return Outcome.done(new Booking(bookingId));
    }
    trip.driven = true;
    tell(trip, DispatchEvent.Type.DRIVER_ASSIGNED, attempt);
    if (random.nextInt(6) == 0) {
      trip.state = State.LEFT_BY_DRIVER;
      tell(trip, DispatchEvent.Type.DRIVER_CANCELLED, attempt);
    } else {
      tell(trip, DispatchEvent.Type.PICKED_UP, attempt);
      trip.state = State.COMPLETED;
      tell(trip, DispatchEvent.Type.COMPLETED, attempt);
    }
    return Outcome.done(new Booking(bookingId));
  }

  @Override
  public Outcome<Booking> cancel(String bookingId, String key) {
    var trip = byBooking.getOrDefault(bookingId, byKey.get(bookingId));
    if (trip == null) {
      tombstones.add(bookingId);
      return Outcome.done(new Booking(bookingId));
    }
    if (trip.state == State.BOOKED) trip.state = State.CANCELLED;
    return Outcome.done(new Booking(bookingId));
  }

  private Trip trip(String bookingId) {
    var trip = byBooking.get(bookingId);
    if (trip == null) throw new IllegalStateException("no booking " + bookingId);
    return trip;
  }

  /// Perhaps, some time, perhaps twice.
  private void tell(Trip trip, DispatchEvent.Type type, int attempt) {
    if (random.nextDouble() >= callbacks) return;
    deliver(trip, type, attempt);
  }

  private void deliver(Trip trip, DispatchEvent.Type type, int attempt) {
    var driver =
        type == DispatchEvent.Type.JOB_ASSIGNED || type == DispatchEvent.Type.NO_DRIVER
            ? null
            : "drv";
    var event =
        new DispatchEvent(
            "d-" + ++deliveries,
            type,
            trip.orderId,
            trip.bookingId,
            trip.jobId,
            driver,
            null,
            attempt,
            null);
    int times = random.nextInt(5) == 0 ? 2 : 1;
    for (int i = 0; i < times; i++) {
      var after = Duration.ofMillis(random.nextLong(1, slowest.toMillis()));
      for (var signal : event.signals()) outside.signal(trip.orderId, signal, after);
    }
  }

  int bookings(String orderId) {
    return bookings.getOrDefault(orderId, 0);
  }

  /// What still goes on for an order at the partner.
  boolean isGoingOn(String orderId) {
    return byBooking.values().stream()
        .anyMatch(trip -> trip.orderId.equals(orderId) && trip.state == State.BOOKED);
  }

  boolean hasArrived(String orderId) {
    return byBooking.values().stream()
        .anyMatch(trip -> trip.orderId.equals(orderId) && trip.state == State.COMPLETED);
  }
}
