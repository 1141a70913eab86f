package dev.tuntas.rides;

import dev.tuntas.saga.Outcome;
import org.jspecify.annotations.Nullable;

/// The partner who dispatches drivers. What it did is told by callbacks, which may come late, twice
/// or never: [#job] asks instead.
///
/// A clear refusal is declined; what could not be reached, or says "not now", is unavailable; an
/// answer that got lost is unclear.
public interface Dispatch {

  /// A point on earth, in degrees.
  record Place(double latitude, double longitude) {}

  record Ride(String orderId, String customerId, String serviceType, Place pickup, Place dropoff) {}

  record Booking(String bookingId) {}

  /// A booking that became a job.
  ///
  /// @param driverId who drives, if the partner tells
  record Job(String jobId, Status status, @Nullable String driverId) {

    /// One of which no more is known than that there is one.
    public Job(String jobId) {
      this(jobId, Status.ASSIGNED, null);
    }
  }

  /// What became of a job.
  enum Status {
    /// There is a job; of a driver nothing is known.
    ASSIGNED,
    DRIVER_ASSIGNED,
    PICKED_UP,
    COMPLETED,
    CANCELLED_BY_DRIVER,
    CANCELLED;

    /// By the partner's word for it. A word that we do not know tells nothing about a driver.
    public static Status of(String word) {
      for (var status : values()) if (status.name().equalsIgnoreCase(word)) return status;
      return ASSIGNED;
    }
  }

  /// Books a ride, once per key; asked again with the same key it tells the same booking.
  Outcome<Booking> book(Ride ride, String key);

  /// Which job a booking became, and what became of that. Pending while it has none. A booking that
  /// the partner does not know is declined as `booking_unknown`, one that was taken back before as
  /// `booking_cancelled`.
  Outcome<Job> job(String bookingId);

  /// Starts to look for a driver, once per key. What comes of it is told by callbacks.
  Outcome<Booking> dispatch(String bookingId, int attempt, String key);

  /// Takes a booking back, with its job and driver if it has them. Done also if it was taken back
  /// before, or is over.
  ///
  /// @param bookingId or, if the booking's answer was never heard, the key that it was booked with:
  ///   should the booking still arrive, it is refused as `booking_cancelled`
  Outcome<Booking> cancel(String bookingId, String key);
}
