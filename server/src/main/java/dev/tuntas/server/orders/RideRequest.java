package dev.tuntas.server.orders;

import dev.tuntas.areas.Admission;
import dev.tuntas.areas.AreaDesk;
import dev.tuntas.areas.Loyalty;
import dev.tuntas.money.Money;
import dev.tuntas.rides.Dispatch.Place;
import dev.tuntas.rides.Trip;
import dev.tuntas.server.http.Fields;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a client may say when it orders a ride.
record RideRequest(
    String serviceType,
    @Nullable String channel,
    @Nullable String loyaltyLevel,
    Place pickup,
    Place dropoff,
    Payment payment) {

  /// Who takes the money is not our business: only what they say about it.
  record Payment(String status, @Nullable String reference, Money amount) {

    private static final Pattern WORD = Pattern.compile("[A-Z][A-Z_]{0,39}");

    static String status(Fields fields) {
      var status = fields.text("status", 40);
      if (fields.has("status") && !WORD.matcher(status).matches()) {
        fields.refuse("status", "payment_status_invalid", "It is a word of the letters A-Z and _.");
      }
      return status;
    }

    static @Nullable String reference(Fields fields) {
      return fields.optionalText("reference", 100).orElse(null);
    }
  }

  private static final Pattern SERVICE = Pattern.compile("[A-Z][A-Z0-9_]{0,39}");

  static RideRequest read(Fields fields) {
    var service = fields.text("service_type", 40);
    if (fields.has("service_type") && !SERVICE.matcher(service).matches()) {
      fields.refuse(
          "service_type", "service_type_invalid", "It is a word such as RIDE, RENT or DELIVERY.");
    }
    var payment = fields.object("payment");
    return new RideRequest(
        service,
        fields.optionalId("channel").orElse(null),
        fields.optionalText("loyalty_level", 40).orElse(null),
        place(fields.object("pickup_location")),
        place(fields.object("dropoff_location")),
        new Payment(Payment.status(payment), Payment.reference(payment), payment.money()));
  }

  private static Place place(Fields fields) {
    return new Place(
        fields.number("latitude", -90, 90, "location_invalid"),
        fields.number("longitude", -180, 180, "location_invalid"));
  }

  /// The same of a customer whose level is known.
  RideRequest with(Loyalty level) {
    return new RideRequest(serviceType, channel, level.name(), pickup, dropoff, payment);
  }

  /// What is asked about the area where it begins.
  AreaDesk.Question question() {
    return new AreaDesk.Question(
        new dev.tuntas.areas.Place(pickup.latitude(), pickup.longitude()),
        serviceType,
        new Admission.Customer(Loyalty.of(loyaltyLevel), channel == null ? "" : channel));
  }

  /// @param areaId where it waits, if that is in an area
  /// @param attempts how drivers are looked for there
  Trip.Wish accepted(
      Instant at, Duration life, @Nullable String areaId, Trip.@Nullable Attempts attempts) {
    return new Trip.Wish(
        serviceType,
        channel,
        loyaltyLevel,
        areaId,
        pickup,
        dropoff,
        payment.status,
        payment.reference,
        at,
        at.plus(life),
        attempts);
  }
}
