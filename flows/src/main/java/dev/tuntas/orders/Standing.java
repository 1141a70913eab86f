package dev.tuntas.orders;

import static dev.tuntas.orders.OrderSagas.CHARGE;
import static dev.tuntas.orders.OrderSagas.CLEAR_CART;
import static dev.tuntas.orders.OrderSagas.COMMIT_STOCK;
import static dev.tuntas.orders.OrderSagas.CONFIRM;
import static dev.tuntas.orders.OrderSagas.KEEP_HOLD;
import static dev.tuntas.orders.OrderSagas.RESERVE;

import dev.tuntas.engine.Progress;
import dev.tuntas.engine.Trail;
import dev.tuntas.orders.OrderEvent.Reason;
import dev.tuntas.rides.Closing;
import dev.tuntas.saga.Failure;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where an order stands, in the words of the API and in a sentence for people. Read from its saga.
public record Standing(
    String status,
    String message,
    @Nullable Reason reason,
    boolean needsAttention,
    boolean recoveryConfirmed) {

  public static final String ACCEPTED = "ACCEPTED";
  public static final String CONFIRMED = "CONFIRMED";
  public static final String FAILED = "FAILED";
  public static final String REFUND_PENDING = "REFUND_PENDING";
  public static final String CANCELLED_BY_USER = "CANCELLED_BY_USER";

  /// Why a booking fails that was confirmed before.
  static final Reason CANCELLATION = new Reason(CANCELLED_BY_USER, "The booking was cancelled.");

  /// All that an order can be in.
  public static final List<String> STATUSES =
      List.of(
          ACCEPTED,
          "RESERVE_SENT",
          "RESERVE_OK",
          "PAYMENT_SENT",
          "PAYMENT_COMPLETE",
          "INVENTORY_COMMITTED",
          CONFIRMED,
          REFUND_PENDING,
          FAILED,
          RideStanding.PENDING_JOB_ID,
          RideStanding.ASSIGNED,
          RideStanding.DRIVER_ASSIGNED,
          RideStanding.PICKED_UP,
          RideStanding.COMPLETED,
          Closing.BY_USER,
          Closing.BY_DRIVER,
          Closing.BY_SYSTEM,
          Closing.AFTER_PAYMENT,
          Closing.REFUNDED);

  /// What an order is in that was just accepted.
  public static String first(Order.Kind kind) {
    return kind == Order.Kind.RIDE ? RideStanding.PENDING_JOB_ID : ACCEPTED;
  }

  /// Whether an order in this status has ended, whatever else is known of it. A failed one may be
  /// open: when a person must look at it.
  public static boolean isEnd(String status) {
    return status.equals(CONFIRMED) || RideStanding.FINAL.contains(status);
  }

  /// Whether nothing changes any more by itself.
  public boolean isFinal() {
    return (isEnd(status) || status.equals(FAILED)) && !needsAttention;
  }

  /// Whether the customer got what was ordered.
  public boolean wentThrough() {
    return status.equals(CONFIRMED) || status.equals(RideStanding.COMPLETED);
  }

  /// The status alone, of an order whose saga stands there; the saga may be its cancellation.
  public static String statusOf(String sagaId, Order order, Progress progress, Trail trail) {
    if (order.trip() != null) return RideStanding.of(order, progress, trail).status();
    if (OrderSagas.isCancellation(sagaId)) return cancelled(order, progress).status();
    return progress instanceof Progress.Held(var before, _)
        ? heldStatus(order, before)
        : status(order, progress);
  }

  public static Standing of(Order order, Progress progress, Trail trail) {
    if (order.trip() != null) return RideStanding.of(order, progress, trail);
    if (progress instanceof Progress.Held(var before, var why)) {
      return held(order, before, trail, why);
    }
    var status = status(order, progress);
    boolean recovered = progress instanceof Progress.Done && trail.doubted();
    return new Standing(status, message(order, progress), reason(trail), false, recovered);
  }

  /// Where a booking stands that was confirmed and then cancelled.
  static Standing cancelled(Order order, Progress cancellation) {
    return switch (cancellation) {
      case Progress.Done _ ->
          new Standing(FAILED, message(order, new Progress.Undone()), CANCELLATION, false, true);
      case Progress.Held _ ->
          new Standing(
              REFUND_PENDING, "We are looking into your order by hand", CANCELLATION, true, true);
      // It was given up before anything was given back: the booking stands.
      case Progress.Undone _ ->
          new Standing(CONFIRMED, message(order, new Progress.Done()), null, false, true);
      case Progress.Ready _, Progress.Sent _, Progress.Asking _, Progress.Undoing _ ->
          new Standing(REFUND_PENDING, "Returning your payment...", CANCELLATION, false, true);
    };
  }

  /// A charge that may have happened is never called a failure without a word about the check.
  private static Standing held(Order order, Progress before, Trail trail, Failure why) {
    var status = heldStatus(order, before);
    var cause = trail.cause() != null ? reason(trail) : new Reason(why.code(), why.detail());
    var message =
        order.paid() == null && !(before instanceof Progress.Undoing)
            ? "We are checking your payment by hand"
            : "We are looking into your order by hand";
    return new Standing(status, message, cause, true, false);
  }

  private static String heldStatus(Order order, Progress before) {
    return before instanceof Progress.Asking(var step, _, _, _, _) && step.equals(CHARGE)
        ? FAILED
        : status(order, before);
  }

  private static String status(Order order, Progress progress) {
    return switch (progress) {
      case Progress.Done _ -> CONFIRMED;
      case Progress.Undone _ -> FAILED;
      case Progress.Undoing _ -> undoing(order);
      case Progress.Ready(var step, int attempt, _) -> forward(order, step, attempt > 1);
      case Progress.Sent(var step, _, _) -> forward(order, step, true);
      case Progress.Asking(var step, _, _, _, _) -> forward(order, step, true);
      case Progress.Held held -> status(order, held.before());
    };
  }

  private static String undoing(Order order) {
    if (order.paid() != null && order.refunded() == null) return REFUND_PENDING;
    return order.kind() == Order.Kind.BOOKING ? "RESERVE_OK" : ACCEPTED;
  }

  private static String forward(Order order, String step, boolean sent) {
    boolean booking = order.kind() == Order.Kind.BOOKING;
    return switch (step) {
      case RESERVE -> booking && sent ? "RESERVE_SENT" : ACCEPTED;
      case KEEP_HOLD -> booking ? "RESERVE_OK" : ACCEPTED;
      case CHARGE -> booking ? (sent ? "PAYMENT_SENT" : "RESERVE_OK") : ACCEPTED;
      case COMMIT_STOCK -> "PAYMENT_COMPLETE";
      case CLEAR_CART -> "INVENTORY_COMMITTED";
      case CONFIRM -> "PAYMENT_SENT";
      default -> throw new IllegalStateException("there is no step '" + step + "' in any order");
    };
  }

  private static @Nullable Reason reason(Trail trail) {
    var cause = trail.cause();
    return cause == null ? null : reason(cause).at(trail.causeStep());
  }

  static Reason reason(Failure cause) {
    return switch (cause) {
      case Failure.Cancelled cancelled ->
          cancelled.code().equals("CANCELLED")
              ? new Reason(CANCELLED_BY_USER, "The order was cancelled.")
              : new Reason(cancelled.code(), "The order was given up.");
      case Failure.Declined(var code, var detail) -> new Reason(code, detail);
      case Failure.Barred(var code, var detail) -> new Reason(code, detail);
      case Failure.Unavailable(var code, var detail, _, _) -> new Reason(code, detail);
      case Failure.Absent(var code, var detail) -> new Reason(code, detail);
      case Failure.Expired(var code, var detail) -> new Reason(code, detail);
      case Failure.Broken(var code, var detail) -> new Reason(code, detail);
    };
  }

  private static String message(Order order, Progress progress) {
    return switch (progress) {
      case Progress.Done _ -> "Order Confirmed!";
      case Progress.Undone _ -> failed(order);
      case Progress.Undoing _ ->
          order.paid() != null ? "Returning your payment..." : "Cancelling your order...";
      case Progress.Ready(var step, _, _) -> message(step);
      case Progress.Sent(var step, _, _) -> message(step);
      case Progress.Asking(var step, _, _, _, _) -> message(step);
      case Progress.Held held -> message(order, held.before());
    };
  }

  /// A person may have ended a refund that could not be made: then nobody here knows where the
  /// money is, and nobody says that there was none.
  private static String failed(Order order) {
    if (order.refunded() != null && order.refunded().amount() > 0) {
      return "Order failed. Your money is on its way back: 3-5 business days.";
    }
    return order.paid() != null && order.refunded() == null
        ? "Order failed. Your payment is being settled by hand."
        : "Order failed. You were not charged.";
  }

  private static String message(String step) {
    return switch (step) {
      case RESERVE, KEEP_HOLD -> "Reserving...";
      case CHARGE -> "Processing Payment...";
      default -> "Finalizing Order...";
    };
  }
}
