package dev.tuntas.bench.verify;

import dev.tuntas.orders.OrderCensus.Counted;
import dev.tuntas.orders.OrderSagas;
import dev.tuntas.simulator.verify.Finding;
import dev.tuntas.simulator.verify.Finding.Tally;
import dev.tuntas.store.Session.RowReader;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Looks at every order: has it all that belongs to it, is it heard of, and is somebody told?
final class Survey {

  private record Listed(String id, @Nullable String status) {}

  /// An order is listed for at least so long after its end. The clock is that of the orders.
  private static final Duration KEPT = Duration.ofDays(7);

  private static final String NEWEST = "select coalesce(max(moved_at), 0) from tuntas_saga";
  private static final String LISTED = "select id, status from orders_order where id = any (?)";
  private static final String KEYED = "select order_id from orders_key where order_id = any (?)";
  private static final String TOLD = "select distinct saga_id from tuntas_outbox";
  private static final String TICKETED =
      "select order_id from support_ticket where status <> 'resolved'";
  private static final String DOUBTED =
      """
      select subject from support_ticket
       where status <> 'resolved' and type = 'MANUAL_RECONCILIATION_REQUIRED'
      """;

  /// What is wrong about all rows at once: a query for names, and what to say of each.
  private record Wrong(String query, String what) {}

  private static final List<Wrong> ACCEPTANCE =
      List.of(
          new Wrong(
              """
              select client || ' ' || idempotency_key from orders_key
               group by client, idempotency_key having count(*) > 1
              """,
              "is a key with more than one order"),
          new Wrong(
              "select order_id from orders_key group by order_id having count(*) > 1",
              "is an order with more than one key"),
          new Wrong(
              """
              select k.order_id from orders_key k
               where not exists (select 1 from orders_order o where o.id = k.order_id)
              """,
              "has a key and is no order"),
          new Wrong(
              """
              select o.id from orders_order o
               where o.ended_at is null
                 and not exists (select 1 from tuntas_saga s where s.id = o.id)
              """,
              "is an open order without a saga"));

  private static final List<Wrong> TICKETS =
      List.of(
          new Wrong(
              """
              select order_id || ' ' || type from support_ticket where status <> 'resolved'
               group by order_id, type, subject having count(*) > 1
              """,
              "has more than one open ticket"),
          new Wrong(
              """
              select t.order_id from support_ticket t
               where t.status <> 'resolved'
                 and not exists (select 1 from orders_order o where o.id = t.order_id)
              """,
              "has an open ticket and is no order"));

  private static final List<Wrong> SLOTS =
      List.of(
          new Wrong(
              """
              select l.area || ' ' || l.service from areas_load l
               where l.waiting <> (select count(*) from areas_slot s
                                    where s.area = l.area and s.service = l.service
                                      and s.ended_at is null)
              """,
              "does not count those who wait there"),
          new Wrong(
              """
              select s.order_id from areas_slot s join orders_order o on o.id = s.order_id
               where s.ended_at is null and o.ended_at is not null
              """,
              "is over and still holds a slot"));

  /// A ride is over for its customer when it turns back, and may still be held for a person because
  /// the partner could not be told.
  private static final String BEFORE_A_PERSON = "select id from tuntas_saga where status = 'H'";

  private static final String HELD = "select order_id from areas_slot where ended_at is null";

  private final Tables tables;
  private final Tally slots = new Tally("D4", "an area counts exactly those who wait in it");
  private final Tally accepted =
      new Tally("A2", "one order for each client and key, with its saga");
  private final Tally ticketed =
      new Tally("L9", "who needs attention has one open ticket for each cause");
  private final Tally heard = new Tally("O2", "what became of an order was heard");
  private final Instant forgettable;
  private final Set<String> underWay;
  private final Set<String> tickets;
  private final Set<String> doubts;
  private final Set<String> held;
  private long orders;
  private long inMotion;

  Survey(Tables tables) {
    this.tables = tables;
    this.forgettable = newest(tables).minus(KEPT);
    this.underWay = PlatformOrders.ids(tables, TOLD);
    this.tickets = PlatformOrders.ids(tables, TICKETED);
    this.doubts = PlatformOrders.ids(tables, DOUBTED);
    this.held = PlatformOrders.ids(tables, BEFORE_A_PERSON);
  }

  private static Instant newest(Tables tables) {
    return tables
        .read(
            "look for the newest",
            s -> s.first(NEWEST, row -> Instant.ofEpochMilli(row.getLong(1))))
        .orElse(Instant.EPOCH);
  }

  List<Line> check(PlatformOrders all) {
    all.eachPage(this::look);
    for (var wrong : ACCEPTANCE) find(wrong, accepted);
    for (var wrong : TICKETS) find(wrong, ticketed);
    for (var wrong : SLOTS) find(wrong, slots);
    return List.of(
        line(accepted.finding(), orders, "orders"),
        line(ticketed.finding(), tickets.size(), "orders with a ticket"),
        line(heard.finding(), orders - inMotion, "orders at rest"),
        line(slots.finding(), PlatformOrders.ids(tables, HELD).size(), "slots"));
  }

  private static Line line(Finding finding, long looked, String things) {
    return new Line(finding, looked, things);
  }

  private void find(Wrong wrong, Tally tally) {
    tables
        .read("look for what is wrong", s -> s.list(wrong.query, row -> row.getString(1)))
        .forEach(name -> tally.add(name + " " + wrong.what + "."));
  }

  private void look(List<Counted> page) {
    var ids = page.stream().map(Counted::id).toList();
    Map<String, Listed> listed = new HashMap<>();
    for (var line : rows(LISTED, r -> new Listed(r.getString(1), r.getString(2)), ids)) {
      listed.put(line.id, line);
    }
    var keyed = new HashSet<>(rows(KEYED, row -> row.getString(1), ids));
    for (var order : page) look(order, listed.get(order.id()), keyed.contains(order.id()));
  }

  private <T> List<T> rows(String query, RowReader<T> reader, List<String> ids) {
    return tables.read("read what belongs to orders", s -> s.list(query, reader, ids));
  }

  private void look(Counted order, @Nullable Listed line, boolean keyed) {
    var standing = order.standing();
    boolean resting = standing.isFinal() || standing.needsAttention();
    orders++;
    if (!resting) inMotion++;
    accepted.require(
        line != null || order.since().isBefore(forgettable),
        order.id(),
        "has a saga and is not in the list of orders");
    accepted.require(keyed || resting, order.id(), "is open and its key is gone");
    if (!resting
        || underWay.contains(order.id())
        || underWay.contains(OrderSagas.cancelling(order.id()))) return;
    if (line == null) return;
    if (standing.isFinal() && !held.contains(order.id())) {
      var known = line.status == null ? "open" : line.status;
      heard.require(
          known.equals(standing.status()),
          order.id(),
          "is " + standing.status() + " and listed as " + known);
      ticketed.require(
          !doubts.contains(order.id()), order.id(), "has ended and is still on a person's desk");
    } else {
      ticketed.require(
          tickets.contains(order.id()), order.id(), "needs attention and has no open ticket");
    }
  }

  long orders() {
    return orders;
  }

  /// How many were neither at their end nor on a person's desk.
  long inMotion() {
    return inMotion;
  }
}
