package dev.tuntas.rides;

import dev.tuntas.saga.Failure;
import org.jspecify.annotations.Nullable;

/// How a ride ends that does not reach its destination: the table of the compensation.
///
/// @param status what it is called then; null when it stays what it is, for a person to decide
/// @param alert the ticket that is wanted, if one is
/// @param noJobId whether it was paid for and never became a job
public record Closing(
    @Nullable String status,
    @Nullable String alert,
    boolean noJobId,
    String reasonCode,
    String reason) {

  public static final String BY_USER = "CANCELLED_BY_USER";
  public static final String BY_DRIVER = "CANCELLED_BY_DRIVER";
  public static final String BY_SYSTEM = "CANCELLED_BY_SYSTEM";
  public static final String AFTER_PAYMENT = "CANCELLED_BY_SYSTEM_AFTER_PAYMENT";

  /// What becomes of a ride that was cancelled after payment, and of no other.
  public static final String REFUND_PENDING = "REFUND_PENDING";

  public static final String REFUNDED = "REFUNDED";

  public static final String REFUND = "MANUAL_REFUND_REQUIRED";
  public static final String UNEXPECTED = "UNEXPECTED_STATE";

  public static final String DRIVER_CANCELLED = "DRIVER_CANCELLED";
  public static final String JOB_ID_TIMEOUT = "JOB_ID_TIMEOUT";
  public static final String LIFETIME_TIMEOUT = "LIFETIME_TIMEOUT";

  /// @param cause why it turned back
  /// @param payment what is known of its payment now
  public static Closing of(Trip trip, Failure cause, PaymentState payment) {
    return switch (cause) {
      case Failure.Cancelled cancelled when cancelled.code().equals("CANCELLED") ->
          byPerson(BY_USER, payment, "The ride was cancelled.");
      case Failure.Declined(var code, var detail) when code.equals(DRIVER_CANCELLED) ->
          byPerson(BY_DRIVER, payment, detail);
      case Failure.Expired _ -> bySystem(trip, payment, timeout(trip));
      case Failure.Cancelled(var code, _) ->
          bySystem(trip, payment, new Why(code, "The ride was given up."));
      case Failure.Declined(var code, var detail) -> bySystem(trip, payment, new Why(code, detail));
      case Failure.Barred(var code, var detail) -> bySystem(trip, payment, new Why(code, detail));
      case Failure.Unavailable(var code, var detail, _, _) ->
          bySystem(trip, payment, new Why(code, detail));
      case Failure.Absent(var code, var detail) -> bySystem(trip, payment, new Why(code, detail));
      case Failure.Broken(var code, var detail) -> bySystem(trip, payment, new Why(code, detail));
    };
  }

  private record Why(String code, String detail) {}

  private static Why timeout(Trip trip) {
    long minutes = trip.wish().life().toMinutes();
    return trip.job() == null
        ? new Why(JOB_ID_TIMEOUT, "Job ID retrieval timeout after " + minutes + " minutes")
        : new Why(LIFETIME_TIMEOUT, "No driver was found within " + minutes + " minutes");
  }

  /// It keeps the status that says who ended it; what was paid is given back by hand.
  private static Closing byPerson(String status, PaymentState payment, String reason) {
    return switch (payment) {
      case PAID -> new Closing(status, REFUND, false, status, reason);
      case UNPAID -> new Closing(status, null, false, status, reason);
      case UNKNOWN -> new Closing(status, UNEXPECTED, false, status, reason);
    };
  }

  /// What became of a ride that had a driver, a person finds out: the system cannot call it
  /// cancelled.
  private static Closing bySystem(Trip trip, PaymentState payment, Why why) {
    if (trip.stage() != null) return new Closing(null, UNEXPECTED, false, why.code, why.detail);
    boolean noJobId = trip.job() == null;
    return switch (payment) {
      case PAID -> new Closing(AFTER_PAYMENT, REFUND, noJobId, why.code, why.detail);
      case UNPAID -> new Closing(BY_SYSTEM, null, false, why.code, why.detail);
      case UNKNOWN -> new Closing(null, UNEXPECTED, false, why.code, why.detail);
    };
  }
}
