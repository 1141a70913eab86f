package dev.tuntas.orders;

import dev.tuntas.areas.Departure;
import dev.tuntas.areas.Slots;
import dev.tuntas.areas.WaitingMirror;
import dev.tuntas.rides.Closing;
import dev.tuntas.store.Session;
import java.sql.SQLException;

/// Gives back the slot of a ride when it waits no longer: a driver was found, or it is over, or it
/// was set aside for a person. Once, however often it is heard.
public final class RideSlots implements Noticeboard.Listener {

  private final WaitingMirror mirror;

  public RideSlots(WaitingMirror mirror) {
    this.mirror = mirror;
  }

  @Override
  public void hear(Session session, OrderEvent event) throws SQLException {
    hearing(session, event);
  }

  /// Those who only look are shown it once it is so.
  @Override
  public Runnable hearing(Session session, OrderEvent event) throws SQLException {
    if (!event.kind().equals(Order.Kind.RIDE.apiName()) || isWaiting(event)) return NOTHING;
    var left = Slots.leave(session, event.orderId(), departure(event), event.at());
    return left.<Runnable>map(where -> () -> mirror.left(event.orderId(), where)).orElse(NOTHING);
  }

  private static boolean isWaiting(OrderEvent event) {
    return event.type().equals(OrderEvent.JOB_ID_RETRIEVED)
        || event.type().equals(OrderEvent.ACCEPTED);
  }

  private static Departure departure(OrderEvent event) {
    return switch (event.type()) {
      case OrderEvent.MOVED ->
          event.status().equals(RideStanding.DRIVER_ASSIGNED)
              ? Departure.ASSIGNED
              : Departure.OTHERWISE;
      case OrderEvent.CONFIRMED -> Departure.ASSIGNED;
      case OrderEvent.CANCELLED ->
          event.status().equals(Closing.BY_USER)
              ? Departure.CANCELLED_BY_USER
              : isTimeout(event) ? Departure.LIFETIME_TIMEOUT : Departure.OTHERWISE;
      default -> Departure.OTHERWISE;
    };
  }

  private static boolean isTimeout(OrderEvent event) {
    var reason = event.reason();
    return reason != null
        && (reason.code().equals(Closing.JOB_ID_TIMEOUT)
            || reason.code().equals(Closing.LIFETIME_TIMEOUT));
  }
}
