package dev.tuntas.support;

import dev.tuntas.money.Money;
import dev.tuntas.notify.Channel;
import dev.tuntas.notify.Postbox;
import dev.tuntas.orders.OrderEvent;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import dev.tuntas.support.Bills.Bill;
import dev.tuntas.support.TicketWork.Deed;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A support desk with everything around it, in memory.
final class Office implements Decisions, Bills, AuditTrail, MoneyNews {

  static final Money PRICE = new Money(150_000, "IDR");

  /// A channel that is only named: what is for it stays in the table.
  private record Named(String name, Audience audience) implements Channel {
    @Override
    public Receipt send(Parcel parcel) {
      throw new UnsupportedOperationException();
    }
  }

  final Tables tables;
  final SupportDesk desk;
  final TicketWork work;
  final Refunds refunds;
  final List<String> audit = Collections.synchronizedList(new ArrayList<>());
  final List<String> money = Collections.synchronizedList(new ArrayList<>());
  final List<String> rulings = Collections.synchronizedList(new ArrayList<>());
  final Map<String, RefundTask> started = new ConcurrentHashMap<>();
  final Map<String, Bill> paid = new ConcurrentHashMap<>();
  final Set<String> waiting = ConcurrentHashMap.newKeySet();
  final Set<String> keepingGoods = ConcurrentHashMap.newKeySet();
  boolean auditIsBroken;
  boolean engineIsAway;
  Instant quietAt = Instant.MIN;
  private volatile Instant now = Instant.parse("2026-11-16T02:00:00Z");

  Office(Tables tables) {
    this(tables, RefundPolicy.MANUAL);
  }

  Office(Tables tables, RefundPolicy policy) {
    this.tables = tables;
    var channels =
        List.<Channel>of(
            new Named("slack", Channel.Audience.SUPPORT),
            new Named("mail", Channel.Audience.SUPPORT),
            new Named("customer-webhook", Channel.Audience.CUSTOMER));
    desk = new SupportDesk(tables, new Postbox(channels), this, this, this, policy);
    work = new TicketWork(tables, this, this, this, () -> now);
    refunds = new Refunds(tables, this, this, this, this::start, () -> now);
  }

  Instant now() {
    return now;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  private void start(String id, RefundTask task) {
    if (engineIsAway) throw new IllegalStateException("the engine is away");
    started.put(id, task);
  }

  @Override
  public boolean waits(Session session, String sagaId) {
    return waiting.contains(sagaId);
  }

  @Override
  public boolean waitsForRefund(Session session, String sagaId) {
    return waiting.contains(sagaId) && !keepingGoods.contains(sagaId);
  }

  @Override
  public Optional<Instant> rule(Session session, String sagaId, Finding finding) {
    if (now.isBefore(quietAt)) return Optional.of(quietAt);
    rulings.add(sagaId + " " + finding.happened() + " " + finding.actor());
    return Optional.empty();
  }

  @Override
  public Optional<Bill> of(Session session, String orderId) {
    return Optional.ofNullable(paid.get(orderId));
  }

  @Override
  public void append(Session session, Entry entry) throws SQLException {
    if (auditIsBroken) throw new SQLException("the audit log is full");
    audit.add(entry.actor() + " " + entry.action() + " " + entry.before() + ">" + entry.after());
  }

  @Override
  public void refundBegun(Session session, Refund refund) {
    money.add(refund.orderId() + " is refunded");
  }

  @Override
  public void refundMade(Session session, Refund last) {
    money.add(last.orderId() + " has its money back");
  }

  void isPaid(String orderId) {
    paid.put(orderId, new Bill(PRICE, Money.zero("IDR")));
  }

  static OrderEvent event(
      String orderId, long version, String type, String status, @Nullable String alert) {
    return event(orderId, version, type, status, alert, List.of());
  }

  static OrderEvent event(
      String orderId,
      long version,
      String type,
      String status,
      @Nullable String alert,
      List<String> leftUndone) {
    return new OrderEvent(
        orderId + "/" + version + "/0",
        type,
        orderId,
        version,
        "booking",
        "client-1",
        "cus-1",
        status,
        PRICE,
        new OrderEvent.Reason("TIMED_OUT", "no answer <script>alert(1)</script>"),
        alert,
        "pay",
        false,
        Instant.parse("2026-11-16T02:00:00Z"),
        leftUndone);
  }

  static OrderEvent alert(String orderId, long version, TicketType type) {
    return event(orderId, version, OrderEvent.MANUAL_ACTION, "FAILED", type.name());
  }

  void hear(OrderEvent event) {
    tables.write(
        "hear",
        session -> {
          desk.hear(session, event);
          return true;
        });
  }

  void hear(RefundEvent event) {
    tables.write(
        "hear",
        session -> {
          desk.hear(session, event, now);
          return true;
        });
  }

  /// All tickets, oldest first.
  List<Ticket> tickets() {
    return tables
        .read("list", s -> new Tickets().list(s, Tickets.Filter.ALL, Long.MAX_VALUE, 100))
        .reversed();
  }

  Ticket onlyTicket() {
    var all = tickets();
    if (all.size() != 1) throw new AssertionError(all.size() + " tickets: " + all);
    return all.getFirst();
  }

  /// What waits to be delivered, as `channel cause`.
  List<String> post() {
    return tables.read(
        "look",
        session ->
            session.list(
                "select channel, cause from support_delivery order by no",
                row -> row.getString(1) + " " + row.getString(2)));
  }

  long claimed(String orderId) {
    return tables.read(
        "look",
        session ->
            session
                .first(
                    "select claimed from support_budget where order_id = ?",
                    row -> row.getLong(1),
                    orderId)
                .orElse(0L));
  }

  Deed by(String actor, Ticket ticket) {
    return new Deed(actor, ticket.id(), null);
  }

  Answer<Refund> refund(String actor, Ticket ticket, @Nullable Long amount, String click) {
    return refunds.request(new Refunds.Wish(actor, ticket.id(), amount, null, click, null));
  }

  static <T> T done(Answer<T> answer) {
    return switch (answer) {
      case Answer.Done<T>(var value, _) -> value;
      case Answer.Refused<T>(var refusal) -> throw new AssertionError(refusal);
    };
  }

  static <T> String refused(Answer<T> answer) {
    return switch (answer) {
      case Answer.Done<T>(var value, _) -> throw new AssertionError(value);
      case Answer.Refused<T>(var refusal) -> refusal.kind() + " " + refusal.code();
    };
  }
}
