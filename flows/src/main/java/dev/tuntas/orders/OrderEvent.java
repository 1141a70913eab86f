package dev.tuntas.orders;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tuntas.engine.Outbox;
import dev.tuntas.money.Money;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the world hears of an order: the body of every notice. It names no person but by id.
///
/// @param eventId the same for every delivery
/// @param type `order.accepted`, `order.moved`, `order.confirmed`, `order.failed`,
///   `order.refunded`, `support.manual_action_required`; of rides also `order.cancelled`,
///   `order.job_id_retrieved` and `order.cancelled_after_payment_no_job_id`
/// @param status the order's status as the API tells it
/// @param alert the kind of ticket that is wanted, with `support.manual_action_required`
/// @param step where it stands or stood, if at a step
/// @param leftUndone steps that should have been undone, and a person gave that up
public record OrderEvent(
    String eventId,
    String type,
    String orderId,
    long version,
    String kind,
    String client,
    String customerId,
    String status,
    @Nullable Money total,
    @Nullable Reason reason,
    @Nullable String alert,
    @Nullable String step,
    boolean recoveryConfirmed,
    Instant at,
    List<String> leftUndone) {

  /// The event that a notice tells.
  public static OrderEvent read(Outbox.Entry notice) {
    return OrderNotices.read(notice);
  }

  /// The saga that tells it: the order's own, or that of its cancellation.
  public String sagaId() {
    return version > OrderNotices.AFTER_THE_ORDER ? OrderSagas.cancelling(orderId) : orderId;
  }

  /// Why an order failed, or what is wrong with it.
  ///
  /// @param step the step that failed; null if none did, or an earlier build wrote it
  public record Reason(
      String code,
      String message,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String step) {

    public Reason(String code, String message) {
      this(code, message, null);
    }

    /// Whether the order failed because nobody was charged. Earlier builds knew only the code.
    public boolean isPayment() {
      return step == null ? code.equals("payment_declined") : step.equals(OrderSagas.CHARGE);
    }

    Reason at(@Nullable String failedStep) {
      return new Reason(code, message, failedStep);
    }
  }

  public static final String ACCEPTED = "order.accepted";
  public static final String MOVED = "order.moved";
  public static final String CONFIRMED = "order.confirmed";
  public static final String FAILED = "order.failed";
  public static final String REFUNDED = "order.refunded";
  public static final String CANCELLED = "order.cancelled";
  public static final String JOB_ID_RETRIEVED = "order.job_id_retrieved";
  public static final String NO_JOB_ID = "order.cancelled_after_payment_no_job_id";
  public static final String MANUAL_ACTION = "support.manual_action_required";
}
