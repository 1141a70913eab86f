package dev.tuntas.rides;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tuntas.rides.Dispatch.Place;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A ride as its saga carries it: what is wanted, and what the partner has said so far.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Trip(
    Wish wish,
    @Nullable String bookingId,
    @Nullable Job job,
    @Nullable String driver,
    @Nullable Stage stage) {

  /// @param areaId where it begins, if that is in an area
  /// @param paymentStatus as it was when the ride was accepted
  /// @param endsAt when it is given up if no driver was found: one clock for everything
  /// @param attempts how drivers are looked for there; null means as everywhere
  public record Wish(
      String serviceType,
      @Nullable String channel,
      @Nullable String loyaltyLevel,
      @Nullable String areaId,
      Place pickup,
      Place dropoff,
      String paymentStatus,
      @Nullable String paymentReference,
      Instant acceptedAt,
      Instant endsAt,
      @Nullable Attempts attempts) {

    public Duration life() {
      return Duration.between(acceptedAt, endsAt);
    }
  }

  /// How drivers are looked for, as it was agreed when the ride was accepted.
  ///
  /// @param lasts how long one attempt lasts
  /// @param pause how long after the first the second begins; later pauses double
  /// @param pauseMax but are no longer than this
  public record Attempts(Duration lasts, Duration pause, Duration pauseMax) {}

  /// The partner's job for it, and how its id was learned.
  ///
  /// @param attempts how often the partner was asked for it
  public record Job(String id, Method method, int attempts) {}

  public enum Method {
    CALLBACK,
    PROACTIVE
  }

  /// How far it came with a driver.
  public enum Stage {
    DRIVER_ASSIGNED,
    PICKED_UP
  }

  public static Trip of(Wish wish) {
    return new Trip(wish, null, null, null, null);
  }

  public Trip booked(String id) {
    return new Trip(wish, id, job, driver, stage);
  }

  public Trip assigned(Job to) {
    return new Trip(wish, bookingId, to, driver, stage);
  }

  /// A driver whose id the partner did not tell has none.
  public Trip drivenBy(@Nullable String id) {
    return new Trip(wish, bookingId, job, id == null ? driver : id, stage);
  }

  public Trip at(Stage reached) {
    return new Trip(wish, bookingId, job, driver, reached);
  }
}
