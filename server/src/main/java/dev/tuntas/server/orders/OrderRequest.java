package dev.tuntas.server.orders;

import dev.tuntas.inventory.Goods;
import dev.tuntas.orders.Contact;
import dev.tuntas.orders.Order;
import dev.tuntas.payment.Payments;
import dev.tuntas.server.http.Fields;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a client may say when it places an order.
///
/// @param ride what is wanted, if it is a ride
record OrderRequest(
    Order.Kind kind,
    String customerId,
    Order.Wish wish,
    @Nullable RideRequest ride,
    @Nullable Contact contact) {

  private static final int LINES_MAX = 100;
  private static final int QUANTITY_MAX = 10_000;
  private static final int ROOMS_MAX = 100;
  private static final int NIGHTS_MAX = 30;
  private static final int YEARS_AHEAD_MAX = 5;

  /// Reads it, or ends the request with everything that is wrong with it.
  static OrderRequest read(Fields fields, PaymentMethods methods, LocalDate today) {
    var kind = fields.oneOfLowerCase("kind", Order.Kind.class);
    var customer = fields.id("customer_id");
    var wish =
        switch (kind) {
          case CHECKOUT ->
              Order.Wish.of(
                  lines(fields),
                  fields.optionalId("cart_id").orElse(null),
                  method(fields, methods));
          case BOOKING -> Order.Wish.of(stay(fields, today), method(fields, methods));
          case RIDE -> Order.Wish.NOTHING;
        };
    var ride = kind == Order.Kind.RIDE ? RideRequest.read(fields) : null;
    var contact = fields.optionalObject("contact").map(OrderRequest::contact).orElse(null);
    fields.finish();
    return new OrderRequest(kind, customer, wish, ride, contact);
  }

  /// The same with another ride.
  OrderRequest with(RideRequest other) {
    return new OrderRequest(kind, customerId, wish, other, contact);
  }

  private static String method(Fields fields, PaymentMethods methods) {
    var method = fields.id("payment_method");
    boolean reserved = Payments.OUTSIDE.equalsIgnoreCase(method);
    if (fields.has("payment_method") && (reserved || !methods.knows(method))) {
      fields.refuse("payment_method", "payment_method_invalid", "There is no such method.");
    }
    return method;
  }

  private static List<Goods.Line> lines(Fields fields) {
    var lines = new ArrayList<Goods.Line>();
    var skus = new HashSet<String>();
    for (var line : fields.objects("lines", 1, LINES_MAX, "lines_invalid")) {
      var sku = line.id("sku");
      var quantity = (int) line.wholeNumber("quantity", 1, QUANTITY_MAX);
      if (line.has("sku") && !skus.add(sku)) {
        line.refuse("sku", "lines_invalid", "The same item is on another line already.");
      }
      lines.add(new Goods.Line(sku, quantity));
    }
    return lines;
  }

  private static Goods.Stay stay(Fields fields, LocalDate today) {
    var room = fields.id("room_id");
    int rooms = (int) fields.wholeNumber("rooms", 1, ROOMS_MAX);
    var from = fields.date("check_in");
    var to = fields.date("check_out");
    if (fields.has("check_in") && !from.equals(LocalDate.EPOCH)) {
      if (from.isBefore(today)) {
        fields.refuse("check_in", "time_invalid", "It is in the past.");
      } else if (from.isAfter(today.plusYears(YEARS_AHEAD_MAX))) {
        fields.refuse("check_in", "time_invalid", "It is too far away.");
      }
    }
    long nights = ChronoUnit.DAYS.between(from, to);
    boolean both = fields.has("check_in") && fields.has("check_out");
    if (both && !to.equals(LocalDate.EPOCH) && (nights < 1 || nights > NIGHTS_MAX)) {
      fields.refuse("check_out", "time_invalid", "A stay has 1 to " + NIGHTS_MAX + " nights.");
    }
    return new Goods.Stay(room, rooms, from, to);
  }

  private static Contact contact(Fields fields) {
    return new Contact(
        fields.optionalEmail("email").orElse(null),
        fields.optionalPhone("phone").orElse(null),
        fields.optionalText("locale", 20).orElse(null));
  }
}
