package dev.tuntas.server.orders;

import dev.tuntas.engine.StepView;
import dev.tuntas.engine.StepView.State;
import dev.tuntas.orders.Order;
import dev.tuntas.orders.OrderSagas;
import dev.tuntas.orders.OrderView;
import dev.tuntas.orders.RideSaga;
import dev.tuntas.orders.Standing;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An order in plain words, for the customer: where it is, since when, and what happens next.
///
/// @param tone how it looks: `good`, `bad`, `busy` or `care`
public record PageText(String tone, String headline, String since, String next, List<Line> lines) {

  /// One step, in the customer's words.
  public record Line(String what, String state, String when) {}

  static PageText of(OrderView view, PageWords words) {
    return new PageText(
        tone(view),
        words.say(headline(view)),
        words.time(view.movedAt()),
        next(view, words),
        view.steps().stream()
            .filter(step -> isTold(step))
            .map(step -> line(step, view.isOver(), words))
            .toList());
  }

  /// What we do for ourselves is no news for a customer.
  private static boolean isTold(StepView step) {
    return !step.name().equals(OrderSagas.KEEP_HOLD) && !step.name().equals(RideSaga.ENTER_PAYMENT);
  }

  private static String tone(OrderView view) {
    if (view.standing().needsAttention()) return "care";
    if (!view.isOver()) return "busy";
    return view.standing().wentThrough() ? "good" : "bad";
  }

  private static String headline(OrderView view) {
    var standing = view.standing();
    if (standing.needsAttention()) return "headline.care";
    if (view.order().trip() != null) {
      return "headline.ride." + standing.status().toLowerCase(Locale.ROOT);
    }
    var kind = view.order().kind() == Order.Kind.BOOKING ? "booking" : "checkout";
    return switch (standing.status()) {
      case Standing.CONFIRMED -> "headline.confirmed." + kind;
      case Standing.FAILED -> "headline.failed." + kind;
      case Standing.REFUND_PENDING -> "headline.refund_pending";
      default -> unclear(view) == null ? working(view) : "headline.unclear";
    };
  }

  private static String working(OrderView view) {
    var step = current(view);
    return switch (step == null ? "" : step.name()) {
      case OrderSagas.RESERVE, OrderSagas.KEEP_HOLD -> "headline.reserving";
      case OrderSagas.CHARGE -> "headline.charging";
      default -> "headline.finishing";
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

  private static String next(OrderView view, PageWords words) {
    var standing = view.standing();
    if (standing.needsAttention()) return words.say("next.care");
    if (view.order().trip() != null) return RideText.next(view, words);
    return switch (standing.status()) {
      case Standing.CONFIRMED ->
          words.say(standing.recoveryConfirmed() ? "next.late" : "next.nothing");
      case Standing.FAILED -> failed(view, words);
      case Standing.REFUND_PENDING -> words.say("next.refund");
      default -> words.say(underWay(view));
    };
  }

  private static String failed(OrderView view, PageWords words) {
    var why = why(view, words);
    if (view.refunded().amount() > 0) {
      return why + words.say("next.returned", view.refunded().text());
    }
    return view.order().paid() != null && view.order().refunded() == null
        ? why + words.say("next.by_hand")
        : why + words.say("next.not_charged");
  }

  /// Why it did not work out: in words of ours, or in those of whoever refused.
  static String why(OrderView view, PageWords words) {
    var reason = view.standing().reason();
    if (reason == null) return "";
    return words.find("because." + reason.code()).orElse(reason.message()) + " ";
  }

  private static String underWay(OrderView view) {
    var doubt = unclear(view);
    if (doubt == null) return "next.seconds";
    return doubt.name().equals(OrderSagas.CHARGE) ? "next.bank" : "next.warehouse";
  }

  private static Line line(StepView step, boolean over, PageWords words) {
    var what = words.find("step." + step.name()).orElse(step.name());
    return new Line(what, words.say(state(step, over)), when(step, words));
  }

  /// To wait for news is no doubt in the customer's eyes, and nobody waits when it is over.
  private static String state(StepView step, boolean over) {
    boolean looking =
        step.state() == State.UNCLEAR
            && List.of(RideSaga.JOB, RideSaga.DRIVER, RideSaga.PICK_UP, RideSaga.TRIP)
                .contains(step.name());
    if (looking) return over ? "state.skipped" : "state.looking";
    return "state." + step.state().name().toLowerCase(Locale.ROOT);
  }

  private static String when(StepView step, PageWords words) {
    Instant at = step.finishedAt() != null ? step.finishedAt() : step.firstSentAt();
    return at == null ? "" : words.time(at);
  }
}
