package dev.tuntas.orders;

import dev.tuntas.engine.StepView;
import dev.tuntas.money.Money;
import dev.tuntas.orders.OrderEvent.Reason;
import dev.tuntas.rides.Closing;
import dev.tuntas.rides.PaymentState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An order as it is now.
public record OrderView(
    String id,
    Order order,
    Standing standing,
    List<StepView> steps,
    long version,
    Instant createdAt,
    Instant movedAt,
    Map<String, String> facts) {

  /// What was taken. In an earlier build a person who found that out changed only the step.
  public Money paid() {
    if (order.trip() != null) {
      return PaymentState.of(paymentStatus()) == PaymentState.PAID
          ? order.total()
          : Money.zero(order.total().currency());
    }
    var paid = order.paid();
    if (paid != null) return paid.amount();
    for (var step : steps) {
      if (!step.name().equals(OrderSagas.CHARGE)) continue;
      if (step.state() == StepView.State.DONE) return order.total();
      if (step.state() == StepView.State.UNDONE) return refunded();
    }
    return Money.zero(order.total().currency());
  }

  /// What is known of a ride's payment, in the words of whoever takes the money.
  public String paymentStatus() {
    return RideStanding.paymentStatusNow(order, facts);
  }

  /// Whether its own saga has ended: only a cancellation can change it now.
  boolean hasEnded() {
    return isOver() || standing.recoveryConfirmed();
  }

  /// Whether the customer need not wait for it any more. The money of a ride may still be on its
  /// way back.
  public boolean isOver() {
    boolean refunding = standing.status().equals(Closing.REFUND_PENDING);
    return standing.isFinal() || order.trip() != null && refunding;
  }

  /// Why it failed, or what a person looks at; nothing while it goes on.
  public @Nullable Reason reason() {
    boolean over = isOver() && !standing.wentThrough();
    boolean told = over || standing.status().equals(Standing.FAILED) || standing.needsAttention();
    return told ? standing.reason() : null;
  }

  /// When its last step was done. Its saga may have moved since, by what was said to it too late.
  Instant confirmedAt() {
    var done = steps.getLast().finishedAt();
    return done != null ? done : movedAt;
  }

  /// What was given back by the order itself.
  public Money refunded() {
    var refunded = order.refunded();
    return refunded != null ? refunded : Money.zero(order.total().currency());
  }
}
