package dev.tuntas.orders;

import dev.tuntas.rides.Closing;
import dev.tuntas.rides.PaymentState;
import dev.tuntas.rides.Trip;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Moment;
import dev.tuntas.saga.Notice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the world hears of a ride. It is over as soon as it turns back; that the partner was told
/// so is nobody else's business.
final class RideNotices {

  private RideNotices() {}

  static List<Notice> of(Moment<Order> moment) {
    return switch (moment.kind()) {
      case STARTED ->
          List.of(say(OrderEvent.ACCEPTED, moment.data(), RideStanding.PENDING_JOB_ID).notice());
      case STEP_DONE -> moved(moment);
      case DONE ->
          List.of(say(OrderEvent.CONFIRMED, moment.data(), RideStanding.COMPLETED).notice());
      case UNDOING -> closed(moment);
      case HELD -> List.of(held(moment, Closing.UNEXPECTED));
      case COMPENSATION_FAILED -> List.of(held(moment, "COMPENSATION_FAILED"));
      case STEP_SKIPPED, LATE_SIGNAL, UNDONE -> List.of();
    };
  }

  private static List<Notice> moved(Moment<Order> moment) {
    return switch (Objects.requireNonNull(moment.step())) {
      case RideSaga.JOB -> List.of(retrieved(moment));
      case RideSaga.DRIVER ->
          List.of(say(OrderEvent.MOVED, moment.data(), RideStanding.DRIVER_ASSIGNED).notice());
      case RideSaga.PICK_UP ->
          List.of(say(OrderEvent.MOVED, moment.data(), RideStanding.PICKED_UP).notice());
      default -> List.of();
    };
  }

  private static Notice retrieved(Moment<Order> moment) {
    var trip = moment.data().ride();
    var job = Objects.requireNonNull(trip.job());
    return say(OrderEvent.JOB_ID_RETRIEVED, moment.data(), RideStanding.ASSIGNED)
        .and("job_id", job.id())
        .and("attempts", job.method() == Trip.Method.CALLBACK ? asks(moment) : job.attempts())
        .and("duration", seconds(trip, moment.around().at()))
        .and("method", job.method().name().toLowerCase(Locale.ROOT))
        .notice();
  }

  private static int asks(Moment<Order> moment) {
    return moment.around().asks();
  }

  private static String seconds(Trip trip, Instant at) {
    return Duration.between(trip.wish().acceptedAt(), at).toString();
  }

  private static List<Notice> closed(Moment<Order> moment) {
    var order = moment.data();
    var cause = Objects.requireNonNull(moment.cause());
    var payment = RideStanding.paymentStatus(order, moment.around().facts());
    var closing =
        Closing.of(order.ride(), cause, RideStanding.payment(order, moment.around().facts()));
    var notices = new ArrayList<Notice>();
    var status = closing.status();
    if (status != null) {
      notices.add(
          say(OrderEvent.CANCELLED, order, status)
              .because(closing)
              .and("payment_status", payment)
              .notice());
    }
    if (closing.noJobId()) {
      notices.add(
          say(OrderEvent.NO_JOB_ID, order, Closing.AFTER_PAYMENT)
              .because(closing)
              .and("payment_status", payment)
              .and("total_attempts", asks(moment))
              .and("action", Closing.REFUND)
              .and("timestamp", moment.around().at().toString())
              .notice());
    }
    var alert = closing.alert();
    if (alert != null) {
      notices.add(
          alert(order, status == null ? RideStanding.before(order) : status, alert)
              .because(closing)
              .and("payment_status", payment)
              .and("timestamp", moment.around().at().toString())
              .notice());
    }
    return notices;
  }

  /// Somebody paid for a ride that was over.
  static Notice paidTooLate(Order order, Failure cause) {
    var closing = Closing.of(order.ride(), cause, PaymentState.UNPAID);
    var status = closing.status() == null ? RideStanding.before(order) : closing.status();
    return alert(order, status, Closing.REFUND)
        .reason("PAID_TOO_LATE", "The ride was paid for after it had been cancelled.")
        .notice();
  }

  /// That money is given back is told when it changes what the ride is called; that it is back is
  /// told always.
  static List<Notice> refunded(Order order, Failure cause, Map<String, String> facts) {
    var closing = Closing.of(order.ride(), cause, RideStanding.payment(order, facts));
    var status = RideStanding.now(closing, facts);
    boolean done = RideSaga.REFUND_DONE.equals(facts.get(RideSaga.REFUND));
    if (!done && !Closing.REFUND_PENDING.equals(status)) return List.of();
    return List.of(
        say(
                done ? OrderEvent.REFUNDED : OrderEvent.MOVED,
                order,
                status == null ? RideStanding.before(order) : status)
            .because(closing)
            .and("payment_status", RideStanding.paymentStatusNow(order, facts))
            .notice());
  }

  private static Notice held(Moment<Order> moment, String alert) {
    var order = moment.data();
    var status = RideStanding.heldIn(order, moment.around());
    var said = alert(order, status, alert).and("step", moment.step());
    var cause = moment.cause();
    return (cause == null ? said : said.reason(cause.code(), cause.detail())).notice();
  }

  private static Said alert(Order order, String status, String alert) {
    return say(OrderEvent.MANUAL_ACTION, order, status)
        .and("alert", alert)
        .and("alert_type", alert)
        .and("severity", "high")
        .and("team", "supporting_reservation");
  }

  private static Said say(String type, Order order, String status) {
    return new Said(type)
        .and("kind", order.kind().apiName())
        .and("client", order.origin().client())
        .and("customer_id", order.origin().customerId())
        .and("status", status)
        .and("total", order.total())
        .and("recovery_confirmed", false);
  }

  /// A notice in the making.
  private static final class Said {

    private final String type;
    private final Map<String, Object> body = new LinkedHashMap<>();

    Said(String type) {
      this.type = type;
    }

    Said and(String name, @Nullable Object value) {
      if (value != null) body.put(name, value);
      return this;
    }

    Said because(Closing closing) {
      return reason(closing.reasonCode(), closing.reason());
    }

    Said reason(String code, String message) {
      return and("reason", new OrderEvent.Reason(code, message));
    }

    Notice notice() {
      return new Notice(type, OrderNotices.write(body));
    }
  }
}
