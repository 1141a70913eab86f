package dev.tuntas.bench.verify;

import dev.tuntas.simulator.verify.Finding.Tally;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Holds rides against the bookings of the dispatch partner, which were looked at after them.
final class PartnerBookings {

  private record Booking(String id, String orderId, String state) {}

  /// How far two clocks may be apart.
  private static final Duration SKEW = Duration.ofSeconds(10);

  /// Rides that ended are kept at least for so long.
  private static final Duration KEPT = Duration.ofDays(7);

  private static final int PAGE = 5_000;
  private static final Set<String> OVER = Set.of("COMPLETED", "CANCELLED");

  private static final String BOOKINGS =
      """
      select booking_id, order_id, state from booking
       where order_id is not null and booking_id > ? order by booking_id limit ?
      """;
  private static final String REPEATED =
      """
      select order_id from booking where order_id is not null
       group by order_id having count(*) > 1
      """;
  private static final String BOOKED_AT =
      "select min(at) from ledger where operation = 'book' and order_id = ?";
  private static final String SAGAS = "select id, status from tuntas_saga where id = any (?)";
  private static final String NEWEST = "select coalesce(max(moved_at), 0) from tuntas_saga";
  private static final String ARRIVED =
      """
      select count(*) from tuntas_saga s join orders_order o on o.id = s.id
       where o.kind = 'ride' and s.status = 'D'
      """;

  private final Tables orders;
  private final Tables partner;
  private final Instant newest;
  private final Tally one = new Tally("D1", "a ride is booked once, and a booking has its ride");
  private final Tally arrived = new Tally("D2", "a ride that arrived has arrived at the partner");
  private final Tally over =
      new Tally("D3", "nothing goes on at the partner for a ride that is over");
  private long bookings;
  private long done;

  PartnerBookings(Tables orders, Tables partner) {
    this.orders = orders;
    this.partner = partner;
    this.newest = Instant.ofEpochMilli(number(orders, NEWEST));
  }

  List<Line> check() {
    partner
        .read("look for rides booked twice", s -> s.list(REPEATED, row -> row.getString(1)))
        .forEach(id -> one.add(id + " was booked more than once."));
    for (var page = page(""); !page.isEmpty(); page = page(page.getLast().id)) look(page);
    long missing = number(orders, ARRIVED) - done;
    if (missing > 0) arrived.add(missing + " rides have arrived and the partner has no booking.");
    return List.of(
        new Line(one.finding(), bookings, "bookings"),
        new Line(arrived.finding(), done, "rides that arrived"),
        new Line(over.finding(), bookings, "bookings"));
  }

  private List<Booking> page(String after) {
    return partner.read(
        "read bookings",
        s ->
            s.list(
                BOOKINGS,
                row -> new Booking(row.getString(1), row.getString(2), row.getString(3)),
                after,
                PAGE));
  }

  private void look(List<Booking> page) {
    var ids = page.stream().map(Booking::orderId).toList();
    Map<String, String> sagas = new HashMap<>();
    orders
        .read(
            "read rides",
            s -> s.list(SAGAS, row -> Map.entry(row.getString(1), row.getString(2)), ids))
        .forEach(saga -> sagas.put(saga.getKey(), saga.getValue()));
    for (var booking : page) look(booking, sagas.getOrDefault(booking.orderId, ""));
  }

  private void look(Booking booking, String saga) {
    bookings++;
    switch (saga) {
      case "" ->
          one.require(mayBeUnknown(booking.orderId), booking.orderId, "was booked and is no ride");
      case "D" -> {
        done++;
        arrived.require(
            booking.state.equals("COMPLETED"),
            booking.orderId,
            "has arrived and is " + booking.state + " at the partner");
      }
      case "U" ->
          over.require(
              OVER.contains(booking.state),
              booking.orderId,
              "is over and " + booking.state + " at the partner");
      default -> {} // it is in motion, or with a person
    }
  }

  /// Accepted since the orders were looked at, or forgotten long ago.
  private boolean mayBeUnknown(String orderId) {
    var at = partner.read("find a booking", s -> s.first(BOOKED_AT, r -> r.getLong(1), orderId));
    var booked = Instant.ofEpochMilli(at.orElse(0L));
    return booked.isAfter(newest.minus(SKEW)) || booked.isBefore(newest.minus(KEPT));
  }

  private static long number(Tables tables, String query) {
    return tables.read("count", s -> s.first(query, row -> row.getLong(1))).orElse(0L);
  }
}
