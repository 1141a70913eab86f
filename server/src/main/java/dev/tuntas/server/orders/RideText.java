package dev.tuntas.server.orders;

import dev.tuntas.orders.OrderView;
import dev.tuntas.rides.Closing;

/// What happens next with a ride, in plain words.
final class RideText {

  private RideText() {}

  static String next(OrderView view, PageWords words) {
    return switch (view.standing().status()) {
      case "PENDING_JOB_ID", "ASSIGNED" -> words.say("next.ride.searching");
      case "DRIVER_ASSIGNED" -> words.say("next.ride.be_there");
      case "PICKED_UP" -> words.say("next.ride.wait");
      case "COMPLETED" -> words.say("next.nothing");
      default -> PageText.why(view, words) + money(view, words);
    };
  }

  private static String money(OrderView view, PageWords words) {
    if (view.paid().amount() == 0) {
      return words.say("next.not_charged") + " " + words.say("next.ride.order_again");
    }
    return switch (view.standing().status()) {
      case Closing.REFUND_PENDING -> words.say("next.refund");
      case Closing.REFUNDED -> words.say("next.returned", view.paid().text());
      default -> words.say("next.ride.refund", view.paid().text());
    };
  }
}
