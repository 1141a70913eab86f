package dev.tuntas.server.orders;

import dev.tuntas.orders.OrderView;
import dev.tuntas.orders.RideSaga;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What only a ride has, as the API shows it.
final class RideJson {

  private RideJson() {}

  static void put(Map<String, Object> json, OrderView view) {
    var trip = view.order().ride();
    var wish = trip.wish();
    json.put("service_type", wish.serviceType());
    putIf(json, "channel", wish.channel());
    putIf(json, "loyalty_level", wish.loyaltyLevel());
    json.put("pickup_location", wish.pickup());
    json.put("dropoff_location", wish.dropoff());
    putIf(json, "area_id", wish.areaId());
    json.put("payment_status", view.paymentStatus());
    putIf(json, "booking_id", trip.bookingId());
    var job = trip.job();
    if (job != null) json.put("job_id", job.id());
    if (trip.driver() != null) json.put("driver", Map.of("id", trip.driver()));
    for (var step : view.steps()) {
      if (!step.name().equals(RideSaga.DRIVER)) continue;
      json.put("dispatch_attempt", RideSaga.attempt(step.attempts()));
      putIf(json, "next_dispatch_at", RideSaga.nextDispatch(trip, step));
    }
    json.put("lifetime_ends_at", wish.endsAt());
  }

  private static void putIf(Map<String, Object> json, String name, @Nullable Object value) {
    if (value != null) json.put(name, value);
  }
}
