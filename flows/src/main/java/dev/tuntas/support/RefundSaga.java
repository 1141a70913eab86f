package dev.tuntas.support;

import static dev.tuntas.saga.Step.step;

import dev.tuntas.payment.Payments;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.GiveUp;
import dev.tuntas.saga.Moment;
import dev.tuntas.saga.Notice;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.support.RefundEvent.Result;
import java.time.Duration;
import java.util.List;

/// Money goes back to a customer because a person said so. The saga's id is the key of the effect,
/// except that a refund of everything always has that of the order's own. A refund in doubt is sent
/// again under its key, and one that stays in doubt waits for a person.
public final class RefundSaga {

  private RefundSaga() {}

  /// @param giveUp how long doubt may last before a person must end it
  public static SagaDefinition<RefundTask> definition(Payments payments, Duration giveUp) {
    return SagaDefinition.saga(
            "refund",
            1,
            RefundTask.class,
            step("refund", (RefundTask task, Call call) -> refund(payments, task, call))
                .key("{id}")
                .lane("payment")
                .ifStillUnclear(GiveUp.hold(giveUp))
                .pivot())
        .announce(RefundSaga::announce);
  }

  private static Outcome<RefundTask> refund(Payments payments, RefundTask task, Call call) {
    var wish = new Payments.Refund(task.orderId(), task.amount(), task.whole());
    var key = task.whole() ? Refund.keyOfWhole(task.orderId()) : call.key();
    return payments.refund(wish, key).map(receipt -> task.returning(receipt.amount()));
  }

  private static List<Notice> announce(Moment<RefundTask> moment) {
    return switch (moment.kind()) {
      case DONE -> List.of(event(moment, Result.DONE));
      case UNDONE -> List.of(event(moment, Result.REFUSED));
      case HELD -> List.of(event(moment, Result.HELD));
      case STARTED, STEP_DONE, STEP_SKIPPED, UNDOING, COMPENSATION_FAILED, LATE_SIGNAL -> List.of();
    };
  }

  private static Notice event(Moment<RefundTask> moment, Result result) {
    var task = moment.data();
    var cause = moment.cause();
    return new RefundEvent(
            moment.sagaId(),
            task.orderId(),
            result,
            task.returned(),
            cause == null ? null : cause.code() + ": " + cause.detail())
        .notice();
  }
}
