package dev.tuntas.orders;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tuntas.engine.Outbox;
import dev.tuntas.money.Money;
import dev.tuntas.orders.OrderEvent.Reason;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Moment;
import dev.tuntas.saga.Notice;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/// What the world hears of an order, and how it is written down. The first notice of every order is
/// the `PlaceOrderRequest` of its acceptance, under the type `order.accepted`.
final class OrderNotices {

  /// The body of a notice. What the outbox knows by itself is not repeated in it.
  private record Body(
      String kind,
      String client,
      String customerId,
      String status,
      @Nullable Money total,
      @Nullable Reason reason,
      @Nullable String alert,
      @Nullable String step,
      boolean recoveryConfirmed,
      @Nullable List<String> leftUndone) {}

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .changeDefaultPropertyInclusion(
              inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
          .build();

  /// What is heard of a cancellation is newer than all that was heard of its order.
  static final long AFTER_THE_ORDER = 1_000_000;

  private OrderNotices() {}

  static List<Notice> of(Moment<Order> moment) {
    return switch (moment.kind()) {
      case STARTED -> List.of(notice(OrderEvent.ACCEPTED, moment, Standing.ACCEPTED, null));
      case DONE -> List.of(notice(OrderEvent.CONFIRMED, moment, Standing.CONFIRMED, null));
      case UNDONE -> failed(moment.data(), type -> notice(type, moment, Standing.FAILED, null));
      case HELD -> List.of(trouble(moment, alertOf(moment)));
      case COMPENSATION_FAILED -> List.of(trouble(moment, "COMPENSATION_FAILED"));
      case STEP_DONE, STEP_SKIPPED, UNDOING, LATE_SIGNAL -> List.of();
    };
  }

  /// A booking that was confirmed and then cancelled. If that is given up it stands as before,
  /// which is no news to whoever was told that it was confirmed.
  static List<Notice> ofCancellation(Moment<Order> moment) {
    return switch (moment.kind()) {
      case STARTED -> List.of(cancelling(OrderEvent.MOVED, moment, Standing.REFUND_PENDING));
      case DONE -> failed(moment.data(), type -> cancelling(type, moment, Standing.FAILED));
      case UNDONE -> List.of(cancelling(OrderEvent.MOVED, moment, Standing.CONFIRMED));
      case HELD -> List.of(cancellationHeld(moment));
      case STEP_DONE, STEP_SKIPPED, UNDOING, COMPENSATION_FAILED, LATE_SIGNAL -> List.of();
    };
  }

  private static Notice cancelling(String type, Moment<Order> moment, String status) {
    var reason = status.equals(Standing.CONFIRMED) ? null : Standing.CANCELLATION;
    return notice(type, moment, new Told(status, reason, null, true));
  }

  private static Notice cancellationHeld(Moment<Order> moment) {
    var told = new Told(Standing.REFUND_PENDING, reason(moment), alertOf(moment), true);
    return notice(OrderEvent.MANUAL_ACTION, moment, told);
  }

  private static List<Notice> failed(Order order, Function<String, Notice> say) {
    var back = order.refunded();
    return back != null && back.amount() > 0
        ? List.of(say.apply(OrderEvent.FAILED), say.apply(OrderEvent.REFUNDED))
        : List.of(say.apply(OrderEvent.FAILED));
  }

  private static String alertOf(Moment<Order> moment) {
    boolean unclear =
        moment.cause() instanceof Failure.Expired(var code, _) && code.equals("STILL_UNCLEAR");
    return unclear ? "MANUAL_RECONCILIATION_REQUIRED" : "UNEXPECTED_STATE";
  }

  private static Notice trouble(Moment<Order> moment, String alert) {
    boolean paid = moment.data().paid() != null;
    return notice(
        OrderEvent.MANUAL_ACTION, moment, paid ? Standing.REFUND_PENDING : Standing.FAILED, alert);
  }

  private static @Nullable Reason reason(Moment<Order> moment) {
    var cause = moment.cause();
    if (cause == null) return null;
    var reason = Standing.reason(cause);
    return moment.kind() == Moment.Kind.UNDONE ? reason.at(moment.around().failedStep()) : reason;
  }

  private static Notice notice(
      String type, Moment<Order> moment, String status, @Nullable String alert) {
    boolean recovered = moment.kind() == Moment.Kind.DONE && moment.doubted();
    return notice(type, moment, new Told(status, reason(moment), alert, recovered));
  }

  /// What differs from notice to notice of an order.
  private record Told(
      String status, @Nullable Reason reason, @Nullable String alert, boolean recoveryConfirmed) {}

  private static Notice notice(String type, Moment<Order> moment, Told told) {
    var order = moment.data();
    var left = moment.around().leftUndone();
    var body =
        new Body(
            order.kind().apiName(),
            order.origin().client(),
            order.origin().customerId(),
            told.status,
            order.total(),
            told.reason,
            told.alert,
            moment.step(),
            told.recoveryConfirmed,
            left.isEmpty() ? null : List.copyOf(left));
    return new Notice(type, write(body));
  }

  static String write(Object body) {
    return JSON.writeValueAsString(body);
  }

  /// The code in a notice that the engine wrote itself.
  static String code(String body) {
    return JSON.readTree(body).path("code").asString("");
  }

  /// The event that a notice carries.
  static OrderEvent read(Outbox.Entry entry) {
    var body = JSON.readValue(entry.body(), Body.class);
    return new OrderEvent(
        entry.eventId(),
        entry.type(),
        OrderSagas.orderOf(entry.sagaId()),
        OrderSagas.isCancellation(entry.sagaId())
            ? AFTER_THE_ORDER + entry.version()
            : entry.version(),
        body.kind,
        body.client,
        body.customerId,
        body.status,
        body.total,
        body.reason,
        body.alert,
        body.step,
        body.recoveryConfirmed,
        entry.at(),
        body.leftUndone == null ? List.of() : body.leftUndone);
  }
}
