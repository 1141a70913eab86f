package dev.tuntas.server.orders;

import dev.tuntas.engine.StepView;
import dev.tuntas.engine.StepView.State;
import dev.tuntas.orders.Order;
import dev.tuntas.orders.OrderSagas;
import dev.tuntas.orders.OrderView;
import dev.tuntas.orders.Standing;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An order in plain words, for the customer: where it is, since when, and what happens next.
///
/// @param tone how it looks: `good`, `bad`, `busy` or `care`
public record PageText(String tone, String headline, String since, String next, List<Line> lines) {

  /// One step, in the customer's words.
  public record Line(String what, String state, String when) {}

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMMM uuuu, HH:mm:ss 'UTC'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  public static PageText of(OrderView view) {
    return new PageText(
        tone(view),
        headline(view),
        TIME.format(view.movedAt()),
        next(view),
        view.steps().stream().filter(step -> isTold(step)).map(PageText::line).toList());
  }

  /// That a hold is kept is no news for a customer.
  private static boolean isTold(StepView step) {
    return !step.name().equals(OrderSagas.KEEP_HOLD);
  }

  private static String tone(OrderView view) {
    if (view.standing().needsAttention()) return "care";
    return switch (view.standing().status()) {
      case Standing.CONFIRMED -> "good";
      case Standing.FAILED -> "bad";
      default -> "busy";
    };
  }

  private static String headline(OrderView view) {
    var standing = view.standing();
    if (standing.needsAttention()) return standing.message();
    var what = view.order().kind() == Order.Kind.BOOKING ? "Your booking" : "Your order";
    return switch (standing.status()) {
      case Standing.CONFIRMED -> what + " is confirmed";
      case Standing.FAILED -> what + " did not go through";
      case Standing.REFUND_PENDING -> "We are returning your payment";
      default -> unclear(view) == null ? working(view) : "We are waiting for an answer";
    };
  }

  private static String working(OrderView view) {
    var step = current(view);
    return switch (step == null ? "" : step.name()) {
      case OrderSagas.RESERVE, OrderSagas.KEEP_HOLD -> "We are reserving it for you";
      case OrderSagas.CHARGE -> "We are taking your payment";
      default -> "We are finishing your order";
    };
  }

  private static @Nullable StepView current(OrderView view) {
    for (var step : view.steps()) {
      if (step.state() == State.SENT || step.state() == State.UNCLEAR) return step;
      if (step.state() == State.WAITING) return step;
    }
    return null;
  }

  private static @Nullable StepView unclear(OrderView view) {
    for (var step : view.steps()) if (step.state() == State.UNCLEAR) return step;
    return null;
  }

  private static String next(OrderView view) {
    var standing = view.standing();
    if (standing.needsAttention()) {
      return "Somebody looks at it within 24 hours and tells you how it ended. Please do not order"
          + " again before that: you could pay twice.";
    }
    return switch (standing.status()) {
      case Standing.CONFIRMED -> confirmed(view);
      case Standing.FAILED -> failed(view);
      case Standing.REFUND_PENDING ->
          "You do not have to do anything. It can take 3-5 business days until you see the money.";
      default -> underWay(view);
    };
  }

  private static String confirmed(OrderView view) {
    return view.standing().recoveryConfirmed()
        ? "It took longer than usual. If you have ordered the same again meanwhile, check for a"
            + " duplicate; you can cancel one of them."
        : "There is nothing left to do.";
  }

  private static String failed(OrderView view) {
    var reason = view.standing().reason();
    var why = reason == null ? "" : reason.message() + " ";
    if (view.refunded().amount() > 0) {
      return why + view.refunded().text() + " goes back to you: 3-5 business days.";
    }
    return view.order().paid() != null && view.order().refunded() == null
        ? why + "Your payment is being settled by hand."
        : why + "You were not charged.";
  }

  private static String underWay(OrderView view) {
    var doubt = unclear(view);
    if (doubt == null) return "This takes a few seconds. You do not have to do anything.";
    var who = doubt.name().equals(OrderSagas.CHARGE) ? "Your bank" : "The warehouse";
    var when = doubt.nextAttemptAt();
    return who
        + " has not said yet whether it worked. We ask again"
        + (when == null ? "" : " at " + TIME.format(when))
        + ", under the same number, so that nothing happens twice.";
  }

  private static Line line(StepView step) {
    return new Line(what(step.name()), state(step.state()), when(step));
  }

  private static String what(String step) {
    return switch (step) {
      case OrderSagas.RESERVE -> "Reserved for you";
      case OrderSagas.CHARGE -> "Payment";
      case OrderSagas.COMMIT_STOCK -> "Goods set aside";
      case OrderSagas.CONFIRM -> "Reservation confirmed";
      case OrderSagas.CLEAR_CART -> "Cart emptied";
      default -> step;
    };
  }

  private static String state(State state) {
    return switch (state) {
      case WAITING -> "not yet";
      case SENT -> "under way";
      case DONE -> "done";
      case FAILED -> "did not work";
      case UNCLEAR -> "waiting for an answer";
      case UNDONE -> "taken back";
      case SKIPPED -> "not needed";
    };
  }

  private static String when(StepView step) {
    Instant at = step.finishedAt() != null ? step.finishedAt() : step.firstSentAt();
    return at == null ? "" : TIME.format(at);
  }
}
