package dev.tuntas.orders;

import dev.tuntas.engine.Progress;
import dev.tuntas.engine.Trail;
import dev.tuntas.orders.OrderEvent.Reason;
import dev.tuntas.rides.Closing;
import dev.tuntas.rides.PaymentState;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Moment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where a ride stands, in the words of the API. Read from its saga.
final class RideStanding {

  static final String PENDING_JOB_ID = "PENDING_JOB_ID";
  static final String ASSIGNED = "ASSIGNED";
  static final String DRIVER_ASSIGNED = "DRIVER_ASSIGNED";
  static final String PICKED_UP = "PICKED_UP";
  static final String COMPLETED = "COMPLETED";

  static final List<String> FINAL =
      List.of(
          COMPLETED,
          Closing.BY_USER,
          Closing.BY_DRIVER,
          Closing.BY_SYSTEM,
          Closing.AFTER_PAYMENT,
          Closing.REFUNDED);

  private RideStanding() {}

  static Standing of(Order order, Progress progress, Trail trail) {
    var cause = trail.cause();
    if (cause != null) return closed(order, cause, trail);
    var status = status(progress);
    if (progress instanceof Progress.Held(_, var why)) {
      var reason = new Reason(why.code(), why.detail());
      return new Standing(status, "We are looking into your ride by hand", reason, true, false);
    }
    return new Standing(status, message(status), null, false, false);
  }

  /// A ride is over for the customer as soon as it turns back, whatever the partner still has to be
  /// told. With a payment that nobody understands it stays what it was, for a person.
  private static Standing closed(Order order, Failure cause, Trail trail) {
    var closing = Closing.of(order.ride(), cause, payment(order, trail.facts()));
    var status = now(closing, trail.facts());
    var reason = new Reason(closing.reasonCode(), closing.reason());
    if (status == null) {
      return new Standing(
          before(order), "We are looking into your ride by hand", reason, true, false);
    }
    return new Standing(status, message(status), reason, false, false);
  }

  /// What a ride is called now that ended so: its money may have been given back since.
  static @Nullable String now(Closing closing, Map<String, String> facts) {
    var refund = facts.get(RideSaga.REFUND);
    var status = closing.status();
    if (refund == null || status == null || !status.equals(Closing.AFTER_PAYMENT)) return status;
    return refund.equals(RideSaga.REFUND_DONE) ? Closing.REFUNDED : Closing.REFUND_PENDING;
  }

  /// The status before it turned back.
  static String before(Order order) {
    var stage = order.ride().stage();
    if (stage != null) return stage.name();
    return order.ride().job() == null ? PENDING_JOB_ID : ASSIGNED;
  }

  /// The status of a ride that waits for a person. One that turned back before is over, whatever
  /// the partner could not be told.
  static String heldIn(Order order, Moment.Around around) {
    var cause = around.turnedBack();
    if (cause == null) return before(order);
    var status =
        now(Closing.of(order.ride(), cause, payment(order, around.facts())), around.facts());
    return status == null ? before(order) : status;
  }

  /// Whether a ride in this status needs nobody, except for its money.
  static boolean isOver(String status) {
    return FINAL.contains(status) || status.equals(Closing.REFUND_PENDING);
  }

  /// The status alone, of a ride whose saga stands there.
  static String status(Progress progress) {
    return switch (progress) {
      case Progress.Done _ -> COMPLETED;
      case Progress.Ready ready -> at(ready.step());
      case Progress.Sent sent -> at(sent.step());
      case Progress.Asking asking -> at(asking.step());
      case Progress.Held held -> status(held.before());
      case Progress.Undoing _, Progress.Undone _ ->
          throw new IllegalStateException("what turned back has a cause");
    };
  }

  private static String at(String step) {
    return switch (step) {
      case RideSaga.ENTER_PAYMENT, RideSaga.BOOK, RideSaga.JOB -> PENDING_JOB_ID;
      case RideSaga.DRIVER -> ASSIGNED;
      case RideSaga.PICK_UP -> DRIVER_ASSIGNED;
      case RideSaga.TRIP -> PICKED_UP;
      default -> throw new IllegalStateException("there is no step '" + step + "' in any ride");
    };
  }

  /// What is known of the payment. What is paid after the ride was over changes what has to be
  /// done, but not what the ride is called.
  static String paymentStatus(Order order, Map<String, String> facts) {
    var told = facts.get(RideSaga.PAYMENT);
    return told != null ? word(told) : order.ride().wish().paymentStatus();
  }

  /// The same with what was told after the end.
  static String paymentStatusNow(Order order, Map<String, String> facts) {
    var told = facts.get(RideSaga.PAYMENT_AFTER_END);
    return told != null ? word(told) : paymentStatus(order, facts);
  }

  static String word(String told) {
    int end = told.indexOf(' ');
    return end < 0 ? told : told.substring(0, end);
  }

  static PaymentState payment(Order order, Map<String, String> facts) {
    return PaymentState.of(paymentStatus(order, facts));
  }

  private static String message(String status) {
    return switch (status) {
      case PENDING_JOB_ID -> "We are booking your ride";
      case ASSIGNED -> "We are looking for a driver";
      case DRIVER_ASSIGNED -> "Your driver is on the way";
      case PICKED_UP -> "Enjoy your ride";
      case COMPLETED -> "You have arrived";
      case Closing.AFTER_PAYMENT -> "No ride was found. Your payment is returned within 24 hours.";
      case Closing.REFUND_PENDING -> "No ride was found. Your payment is being returned.";
      case Closing.REFUNDED ->
          "No ride was found. Your money is on its way back: 3-5 business days.";
      default -> "The ride was cancelled";
    };
  }
}
