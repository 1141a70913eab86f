package dev.tuntas.orders;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tuntas.engine.Outbox;
import dev.tuntas.money.Money;
import dev.tuntas.orders.OrderEvent.Reason;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Moment;
import dev.tuntas.saga.Notice;
import java.util.ArrayList;
import java.util.List;
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
      boolean recoveryConfirmed) {}

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
      case UNDONE -> failed(moment);
      case HELD -> List.of(trouble(moment, alertOf(moment)));
      case COMPENSATION_FAILED -> List.of(trouble(moment, "COMPENSATION_FAILED"));
      case STEP_DONE, STEP_SKIPPED, UNDOING, LATE_SIGNAL -> List.of();
    };
  }

  /// A booking that was confirmed and then cancelled.
  static List<Notice> ofCancellation(Moment<Order> moment) {
    return switch (moment.kind()) {
      case DONE -> {
        var cancelled = new Failure.Cancelled("CANCELLED", "The customer cancelled it.");
        yield failed(
            new Moment<>(
                moment.kind(),
                moment.sagaId(),
                moment.definition(),
                moment.step(),
                cancelled,
                false,
                moment.data(),
                moment.around()));
      }
      case HELD -> List.of(trouble(moment, alertOf(moment)));
      case STARTED, STEP_DONE, STEP_SKIPPED, UNDOING, COMPENSATION_FAILED, LATE_SIGNAL, UNDONE ->
          List.of();
    };
  }

  private static List<Notice> failed(Moment<Order> moment) {
    var notices = new ArrayList<Notice>();
    notices.add(notice(OrderEvent.FAILED, moment, Standing.FAILED, null));
    var back = moment.data().refunded();
    if (back != null && back.amount() > 0) {
      notices.add(notice(OrderEvent.REFUNDED, moment, Standing.FAILED, null));
    }
    return notices;
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

  private static Notice notice(
      String type, Moment<Order> moment, String status, @Nullable String alert) {
    var order = moment.data();
    var cause = moment.cause();
    var body =
        new Body(
            order.kind().apiName(),
            order.origin().client(),
            order.origin().customerId(),
            status,
            order.total(),
            cause == null ? null : Standing.reason(cause),
            alert,
            moment.step(),
            moment.kind() == Moment.Kind.DONE && moment.doubted());
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
        entry.at());
  }
}
