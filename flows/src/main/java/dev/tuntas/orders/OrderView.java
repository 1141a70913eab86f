package dev.tuntas.orders;

import dev.tuntas.engine.StepView;
import dev.tuntas.money.Money;
import java.time.Instant;
import java.util.List;

/// An order as it is now.
public record OrderView(
    String id,
    Order order,
    Standing standing,
    List<StepView> steps,
    long version,
    Instant createdAt,
    Instant movedAt) {

  /// What was taken. A person may have found that out, without the receipt.
  public Money paid() {
    var paid = order.paid();
    if (paid != null) return paid.amount();
    for (var step : steps) {
      if (!step.name().equals(OrderSagas.CHARGE)) continue;
      if (step.state() == StepView.State.DONE) return order.total();
      if (step.state() == StepView.State.UNDONE) return refunded();
    }
    return Money.zero(order.total().currency());
  }

  /// Whether its own saga has ended: only a cancellation can change it now.
  boolean hasEnded() {
    return standing.isFinal() || standing.recoveryConfirmed();
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
