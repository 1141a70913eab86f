package dev.tuntas.orders;

import dev.tuntas.areas.Slots;
import dev.tuntas.areas.Wanted;
import dev.tuntas.engine.Write;
import dev.tuntas.money.Money;
import dev.tuntas.orders.OrderEvent.Reason;
import dev.tuntas.store.Bulk;
import dev.tuntas.store.Companions;
import dev.tuntas.store.Session;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is written beside the saga of an order: its key, a line for lists, and the contact. All of
/// it is committed with the saga's first row, or none.
public final class OrderBook implements Companions {

  private static final Logger log = LoggerFactory.getLogger(OrderBook.class);

  public static final TableSet TABLES = TableSet.of("orders");

  /// A key that was used before.
  ///
  /// @param answer the status of the final answer, if one was given
  public record Known(String orderId, String fingerprint, Instant at, @Nullable Integer answer) {}

  /// An order as lists show it. `status` is null while it is open.
  public record Line(
      String id,
      String kind,
      String client,
      String customerId,
      Money total,
      Instant createdAt,
      @Nullable String status,
      @Nullable Reason reason,
      boolean needsAttention,
      boolean recoveryConfirmed) {}

  /// Which orders to list; null means any. With `needsAttention`, those of which that was heard;
  /// whether it is still so they know themselves, and so do all of those that are open whether it
  /// is not.
  public record Filter(
      @Nullable String client,
      @Nullable String kind,
      @Nullable String customerId,
      @Nullable Boolean needsAttention) {}

  private static final String KNOWN =
      """
      select order_id, fingerprint, at, answer from orders_key
       where client = ? and idempotency_key = ?
      """;

  private static final Bulk KEYS =
      new Bulk(
          "orders_key", "order_id", "client", "idempotency_key", "order_id", "fingerprint", "at");

  private static final Bulk LINES =
      new Bulk(
          "orders_order",
          "id",
          "id",
          "kind",
          "client",
          "customer_id",
          "amount",
          "currency",
          "created_at",
          "version");

  private static final Bulk CONTACTS =
      new Bulk("orders_contact", "order_id", "order_id", "email", "phone", "locale");

  private static final String COLUMNS =
      """
      select id, kind, client, customer_id, amount, currency, created_at, status, reason_code,
             reason_message, needs_attention, recovery_confirmed
        from orders_order
      """;

  private static final String TOLD =
      "update orders_key set answer = ? where client = ? and idempotency_key = ? and answer is"
          + " null";

  private static final String HEARD =
      """
      update orders_order
         set version = ?, status = ?, ended_at = ?, reason_code = ?, reason_message = ?,
             needs_attention = ?, recovery_confirmed = ?
       where id = ? and version < ?
      """;

  private static final String FORGET_KEYS =
      """
      delete from orders_key where order_id in (
        select k.order_id from orders_key k join orders_order o on o.id = k.order_id
         where k.at < ? and o.ended_at < ? and o.needs_attention = 0
         order by k.at limit ?)
      """;

  private static final String ENDED_BEFORE =
      """
      select id from orders_order where ended_at < ? and needs_attention = 0
       order by ended_at limit ?
      """;

  private final Tables tables;
  private final Map<String, NewOrder> accepting = new ConcurrentHashMap<>();
  private final Set<String> withoutRoom = ConcurrentHashMap.newKeySet();

  public OrderBook(Tables tables) {
    this.tables = tables;
  }

  // Accepting

  /// To be called before the saga of an order is started.
  void expect(String orderId, NewOrder order) {
    accepting.put(orderId, order);
  }

  /// To be called once it is known whether the saga was started.
  void forget(String orderId) {
    accepting.remove(orderId);
  }

  @Override
  public boolean has(String sagaId) {
    return accepting.containsKey(sagaId);
  }

  @Override
  public Set<String> write(Session session, List<Write.Insert> sagas) throws SQLException {
    var orders = new ArrayList<Entry>(sagas.size());
    for (var saga : sagas) {
      var order = accepting.get(saga.id());
      if (order != null) orders.add(new Entry(saga.id(), order, saga.at()));
    }
    // Two processes with the same keys must not wait for each other in a circle.
    orders.sort(Comparator.comparing(Entry::client).thenComparing(Entry::key));
    var written =
        Bulk.insertAll(
            session,
            new Bulk.Rows(KEYS, orders.stream().map(Entry::keyRow).toList()),
            new Bulk.Rows(LINES, orders.stream().map(Entry::line).toList()),
            new Bulk.Rows(CONTACTS, orders.stream().flatMap(Entry::contactRow).toList()));
    var mine = new HashSet<>(written.getFirst());
    var refused = new HashSet<String>();
    for (var entry : orders) if (!mine.contains(entry.id)) refused.add(entry.id);
    orders.removeIf(entry -> refused.contains(entry.id));
    // What is there of one whose commit is in doubt stays: its key was known, and so was its line.
    erase(session, written.get(1).stream().filter(refused::contains).toList());
    refused.addAll(turnedAway(session, orders));
    return refused;
  }

  private static void erase(Session session, List<String> ids) throws SQLException {
    if (ids.isEmpty()) return;
    session.update("delete from orders_contact where order_id = any (?)", ids);
    session.update("delete from orders_order where id = any (?)", ids);
  }

  /// Takes the slots of rides, in the transaction that accepts them. Who finds none leaves no
  /// trace: not even a key.
  private Set<String> turnedAway(Session session, List<Entry> orders) throws SQLException {
    var wanted = new ArrayList<Wanted>();
    for (var entry : orders) {
      withoutRoom.remove(entry.id); // this may be the second attempt to write it
      var admitted = entry.order.admitted();
      if (admitted != null) wanted.add(Wanted.of(entry.id, admitted, entry.at));
    }
    if (wanted.isEmpty()) return Set.of();
    var none = Slots.takeAll(session, wanted, orders.getFirst().at);
    if (none.isEmpty()) return none;
    session.update("delete from orders_key where order_id = any (?)", none);
    erase(session, List.copyOf(none));
    withoutRoom.addAll(none);
    return none;
  }

  /// Whether an order was not accepted because it found no slot. To be asked once, after it is
  /// known that its saga was not started.
  boolean foundNoRoom(String orderId) {
    return withoutRoom.remove(orderId);
  }

  private record Entry(String id, NewOrder order, Instant at) {

    String client() {
      return order.client();
    }

    String key() {
      return order.key();
    }

    List<Object> keyRow() {
      return List.of(order.client(), order.key(), id, order.fingerprint(), at);
    }

    List<Object> line() {
      return List.of(
          id,
          order.kind().apiName(),
          order.client(),
          order.customerId(),
          order.total().amount(),
          order.total().currency(),
          at,
          1L);
    }

    Stream<List<@Nullable Object>> contactRow() {
      var contact = order.contact();
      if (contact == null) return Stream.empty();
      return Stream.of(Arrays.asList(id, contact.email(), contact.phone(), contact.locale()));
    }
  }

  // Keys

  public Optional<Known> known(String client, String key) {
    return tables.read(
        "look up a key",
        session ->
            session.first(
                KNOWN,
                row ->
                    new Known(
                        row.getString(1),
                        row.getString(2),
                        Instant.ofEpochMilli(row.getLong(3)),
                        number(row, 4)),
                client,
                key));
  }

  private static @Nullable Integer number(ResultSet row, int column) throws SQLException {
    int value = row.getInt(column);
    return row.wasNull() ? null : value;
  }

  /// Notes that a final answer is about to be given. Returns the one that counts: this, or one that
  /// was given before.
  public int told(String client, String key, int status) {
    return tables.write(
        "note a final answer",
        session -> {
          session.update(TOLD, status, client, key);
          return session.first(KNOWN, row -> row.getInt(4), client, key).orElse(status);
        });
  }

  /// Forgets keys of orders that ended before, and were placed before. Who asks with a key again
  /// and again how its order ended has as much time for that as with any other. Returns how many.
  public int forgetKeys(Instant before, int limit) {
    return tables.write(
        "forget keys", session -> session.update(FORGET_KEYS, before, before, limit));
  }

  /// Forgets orders that ended before, with how to reach their customers. To be called later than
  /// their keys are forgotten. Returns how many.
  public int forgetOrders(Instant before, int limit) {
    return tables.write(
        "forget orders",
        session -> {
          var old = session.list(ENDED_BEFORE, row -> row.getString(1), before, limit);
          if (old.isEmpty()) return 0;
          session.update("delete from orders_contact where order_id = any (?)", old);
          session.update("delete from orders_key where order_id = any (?)", old);
          return session.update("delete from orders_order where id = any (?)", old);
        });
  }

  // Lists

  public Optional<Line> line(String orderId) {
    return tables.read(
        "read order " + orderId,
        session -> session.first(COLUMNS + " where id = ?", OrderBook::line, orderId));
  }

  /// Orders before `below`, newest first. `status` is one of an ended order, or null for any;
  /// `open` asks for those that have not ended.
  public List<Line> list(
      Filter filter, @Nullable String status, boolean open, String below, int limit) {
    var sql = new StringBuilder(COLUMNS).append(" where id < ?");
    var values = new ArrayList<@Nullable Object>();
    values.add(below);
    if (filter.client != null) add(sql, values, " and client = ?", filter.client);
    if (filter.kind != null) add(sql, values, " and kind = ?", filter.kind);
    if (filter.customerId != null) add(sql, values, " and customer_id = ?", filter.customerId);
    if (Boolean.TRUE.equals(filter.needsAttention)) sql.append(" and needs_attention = 1");
    if (status != null) add(sql, values, " and status = ?", status);
    if (open) sql.append(" and ended_at is null");
    sql.append(" order by id desc limit ?");
    values.add(limit);
    return tables.read(
        "list orders", session -> session.list(sql.toString(), OrderBook::line, values.toArray()));
  }

  private static void add(
      StringBuilder sql, List<@Nullable Object> values, String condition, Object value) {
    sql.append(condition);
    values.add(value);
  }

  private static Line line(ResultSet row) throws SQLException {
    var code = row.getString(9);
    return new Line(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        new Money(row.getLong(5), row.getString(6)),
        Instant.ofEpochMilli(row.getLong(7)),
        row.getString(8),
        code == null ? null : new Reason(code, row.getString(10)),
        row.getInt(11) == 1,
        row.getInt(12) == 1);
  }

  /// How to reach the customer.
  public Optional<Contact> contact(Session session, String orderId) throws SQLException {
    return session.first(
        "select email, phone, locale from orders_contact where order_id = ?",
        row -> new Contact(row.getString(1), row.getString(2), row.getString(3)),
        orderId);
  }

  // What is heard

  /// Notes what was heard of orders. Repeated or old news change nothing.
  void hear(Session session, List<OrderEvent> events) throws SQLException {
    var news = events.stream().filter(OrderBook::isNews).toList();
    var heard = session.updateEach(HEARD, news.stream().map(OrderBook::heard).toList());
    for (int i = 0; i < heard.length; i++) {
      if (heard[i] > 0) continue;
      log.atInfo()
          .addKeyValue("order_id", news.get(i).orderId())
          .addKeyValue("event_id", news.get(i).eventId())
          .log("Duplicate message detected, skipping");
    }
  }

  /// What is told of an order that cannot tell it itself, with what is known of it here. Nothing if
  /// there is no such order.
  public Optional<OrderEvent> stuck(Session session, Stuck stuck) throws SQLException {
    return session
        .first(COLUMNS + " where id = ?", OrderBook::line, stuck.orderId())
        .map(line -> event(line, stuck));
  }

  private static OrderEvent event(Line line, Stuck stuck) {
    return new OrderEvent(
        stuck.eventId(),
        OrderEvent.MANUAL_ACTION,
        line.id,
        OrderSagas.isCancellation(stuck.sagaId())
            ? OrderNotices.AFTER_THE_ORDER + stuck.version()
            : stuck.version(),
        line.kind,
        line.client,
        line.customerId,
        line.status == null ? "UNKNOWN" : line.status,
        line.total,
        new Reason(stuck.alert(), stuck.reason()),
        stuck.alert(),
        null,
        line.recoveryConfirmed,
        stuck.at(),
        List.of());
  }

  private static boolean isNews(OrderEvent event) {
    return hasEnded(event) || isTrouble(event) || isRefunding(event);
  }

  private static boolean hasEnded(OrderEvent event) {
    return event.type().equals(OrderEvent.CONFIRMED)
        || event.type().equals(OrderEvent.FAILED)
        || event.type().equals(OrderEvent.CANCELLED)
        || isRefundedRide(event)
        || isKeptBooking(event);
  }

  /// A booking whose cancellation was given up stands as before.
  private static boolean isKeptBooking(OrderEvent event) {
    return event.type().equals(OrderEvent.MOVED) && event.status().equals(Standing.CONFIRMED);
  }

  /// Other orders have failed by the time their money is back. A ride that somebody still looks at
  /// has not ended by that.
  private static boolean isRefundedRide(OrderEvent event) {
    return event.type().equals(OrderEvent.REFUNDED)
        && event.kind().equals(Order.Kind.RIDE.apiName())
        && RideStanding.FINAL.contains(event.status());
  }

  /// A ride, or a booking that was confirmed, whose money is on its way back is open again until it
  /// is there.
  private static boolean isRefunding(OrderEvent event) {
    return event.type().equals(OrderEvent.MOVED) && event.status().equals(Standing.REFUND_PENDING);
  }

  /// What is over needs nobody, even if its money has to be given back, or if the partner of a ride
  /// still has to be told.
  private static boolean isTrouble(OrderEvent event) {
    boolean isRide = event.kind().equals(Order.Kind.RIDE.apiName());
    return event.type().equals(OrderEvent.MANUAL_ACTION)
        && !event.status().equals(Standing.CONFIRMED)
        && !(isRide && RideStanding.isOver(event.status()));
  }

  private static List<@Nullable Object> heard(OrderEvent event) {
    boolean ended = hasEnded(event);
    var reason = event.reason();
    return Arrays.asList(
        event.version(),
        ended ? event.status() : null,
        ended ? event.at() : null,
        reason == null ? null : reason.code(),
        reason == null ? null : reason.message(),
        isTrouble(event) ? 1 : 0,
        event.recoveryConfirmed() ? 1 : 0,
        event.orderId(),
        event.version());
  }
}
