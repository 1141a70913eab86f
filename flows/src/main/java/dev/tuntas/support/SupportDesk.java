package dev.tuntas.support;

import dev.tuntas.engine.Outbox;
import dev.tuntas.money.Money;
import dev.tuntas.notify.Message.Alert;
import dev.tuntas.notify.Message.CustomerNotice;
import dev.tuntas.notify.Message.Topic;
import dev.tuntas.notify.Postbox;
import dev.tuntas.orders.OrderEvent;
import dev.tuntas.orders.OrderSagas;
import dev.tuntas.rides.Closing;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import dev.tuntas.support.Decisions.Finding;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Hears what happens to orders and refunds, opens tickets, and tells people. Hearing something
/// twice changes nothing.
public final class SupportDesk {

  /// How long a ticket may take.
  public static final Duration SLA = Duration.ofHours(24);

  static final String SLA_TEXT = "Within 24 hours";
  private static final int BATCH = 100;

  /// How long a saga may take to hear what a person found out.
  private static final Duration HEEDED_WITHIN = Duration.ofSeconds(30);

  private final Tables tables;
  private final Postbox postbox;
  private final Bills bills;
  private final Decisions decisions;
  private final MoneyNews news;
  private final RefundPolicy policy;
  private final Tickets tickets = new Tickets();
  private final RefundBook refunds = new RefundBook();

  public SupportDesk(
      Tables tables,
      Postbox postbox,
      Bills bills,
      Decisions decisions,
      MoneyNews news,
      RefundPolicy policy) {
    this.tables = tables;
    this.postbox = postbox;
    this.bills = bills;
    this.decisions = decisions;
    this.news = news;
    this.policy = policy;
  }

  /// To be called in the transaction that takes the notice.
  public void hear(Session session, OrderEvent event) throws SQLException {
    if (event.alert() != null) {
      raise(session, Troubles.of(event, event.alert()));
      return;
    }
    var topic = topic(event);
    if (topic == null) return;
    // An order that was never in doubt has no ticket that its end could settle.
    boolean smooth = topic == Topic.CONFIRMED || topic == Topic.REFUNDED;
    boolean looked = !smooth && stillLooked(session, event);
    // An order that somebody looks at has not failed for the customer yet.
    if (topic != Topic.FAILED || !looked) tell(session, event, topic);
    if (isTimeout(event)) push(session, event);
  }

  /// Whether a ride was given up because its time was over.
  private static boolean isTimeout(OrderEvent event) {
    var reason = event.reason();
    return event.type().equals(OrderEvent.CANCELLED)
        && reason != null
        && (reason.code().equals(Closing.LIFETIME_TIMEOUT)
            || reason.code().equals(Closing.JOB_ID_TIMEOUT));
  }

  private void push(Session session, OrderEvent event) throws SQLException {
    var push = notice(event, Topic.NO_DRIVER_PUSH);
    postbox.tell(session, "push-" + event.eventId(), push, event.at());
  }

  private static @Nullable Topic topic(OrderEvent event) {
    return switch (event.type()) {
      case OrderEvent.CONFIRMED ->
          event.recoveryConfirmed() ? Topic.RECOVERED_LATE : Topic.CONFIRMED;
      case OrderEvent.FAILED -> Topic.FAILED;
      // Of a ride's money the customer hears when it is sent, part by part.
      case OrderEvent.REFUNDED -> event.kind().equals("ride") ? null : Topic.REFUNDED;
      case "order.cancelled" ->
          event.status().startsWith("CANCELLED_BY_SYSTEM") ? Topic.CANCELLED : null;
      default -> null;
    };
  }

  private void tell(Session session, OrderEvent event, Topic topic) throws SQLException {
    // An order's own refund and a person's refund of all of it are one: they share the key.
    var cause = topic == Topic.REFUNDED ? "refund-" + event.orderId() : event.eventId();
    postbox.tell(session, cause, notice(event, topic), event.at());
  }

  private static CustomerNotice notice(OrderEvent event, Topic topic) {
    var reason = event.reason();
    return new CustomerNotice(
        topic,
        event.orderId(),
        event.kind(),
        event.status(),
        event.total(),
        reason == null ? null : reason.code(),
        event.at());
  }

  /// Notices that are not about an order: those about refunds are heard, the others are not for us.
  public void hear(Session session, Outbox.Entry notice) throws SQLException {
    if (!notice.type().equals(RefundEvent.TYPE)) return;
    hear(session, RefundEvent.read(notice.body()), notice.at());
  }

  /// What a refund by a person came to; to be called in the transaction that takes the notice.
  public void hear(Session session, RefundEvent event, Instant now) throws SQLException {
    var refund = refunds.find(session, event.refundId()).orElse(null);
    if (refund == null) return; // not asked for by a person of ours
    var ticket = tickets.lock(session, refund.ticketNo()).orElseThrow();
    var error = event.error() == null ? "no reason was given" : event.error();
    var sum = refund.amount().text();
    switch (event.result()) {
      case DONE -> {
        long returned = returned(event, refund);
        if (!refunds.done(session, refund, returned, now)) return;
        var money = new Money(returned, refund.amount().currency());
        var text = money.text() + " was refunded as " + refund.id();
        tickets.note(session, ticket, Tickets.SYSTEM, text, now);
        settleReconciliation(session, refund, "refunded", now);
        boolean all = !keepsMoney(session, refund.orderId());
        if (all && ticket.isOfRide()) news.refundMade(session, refund);
        if (all && policy.covers(ticket)) {
          tickets.resolve(session, ticket, Resolution.REFUNDED, now);
        }
        if (returned > 0) tellRefunded(session, refund, statusOf(ticket, all), money, now);
      }
      case REFUSED -> {
        if (!refunds.refused(session, refund, error, now)) return;
        settleReconciliation(session, refund, "refused", now);
        raise(
            session,
            Troubles.ofRefund(
                refund,
                ticket,
                TicketType.MANUAL_REFUND_REQUIRED,
                "The refund of " + sum + " was refused: " + error,
                now));
        if (policy.covers(ticket)) alert(session, ticket, now);
      }
      case HELD -> {
        if (!refunds.held(session, refund, error)) return;
        var text = "Refund " + refund.id() + " stuck at REFUND_SENT: ";
        raise(
            session,
            Troubles.ofRefund(
                refund,
                ticket,
                TicketType.MANUAL_RECONCILIATION_REQUIRED,
                text + "manual reconciliation required",
                now));
      }
    }
  }

  /// A person who ruled that it happened did not say how much: then it was what was asked for.
  private static long returned(RefundEvent event, Refund refund) {
    var said = event.returned();
    long asked = refund.amount().amount();
    return said == null ? asked : Math.min(said.amount(), asked);
  }

  private record Named(String kind, String status) {}

  /// What the order of a ticket is called once some or all of its money is back.
  private static Named statusOf(Ticket ticket, boolean all) {
    boolean renamed = ticket.orderStatus().equals(Closing.AFTER_PAYMENT);
    var after = all ? Closing.REFUNDED : Closing.REFUND_PENDING;
    return new Named(ticket.orderKind(), renamed ? after : ticket.orderStatus());
  }

  private void tellRefunded(Session session, Refund refund, Named order, Money money, Instant now)
      throws SQLException {
    var notice =
        new CustomerNotice(
            Topic.REFUNDED, refund.orderId(), order.kind, order.status, money, null, now);
    postbox.tell(session, refund.key(), notice, now);
  }

  /// Opens a ticket about something unexpected that an order did not say itself, once per cause.
  public void unexpected(Session session, String orderId, String cause, String reason, Instant now)
      throws SQLException {
    raise(session, Troubles.unexpected(orderId, cause, reason, now));
  }

  private void raise(Session session, Trouble trouble) throws SQLException {
    var opened = tickets.open(session, trouble, SLA);
    if (opened.isEmpty()) return;
    var ticket = opened.get();
    if (!policy.covers(ticket)) alert(session, ticket, trouble.at());
  }

  private void alert(Session session, Ticket ticket, Instant now) throws SQLException {
    postbox.alert(session, ticket.id(), alert(session, ticket, ticket.type().title()), now);
  }

  /// Tells people of a ticket that could not be worked on by itself.
  void handOver(Session session, Ticket ticket, String why, Instant now) throws SQLException {
    tickets.takeUp(session, ticket);
    tickets.note(session, ticket, Tickets.SYSTEM, why, now);
    alert(session, ticket, now);
  }

  private Alert alert(Session session, Ticket ticket, String title) throws SQLException {
    return new Alert(
        title,
        ticket.id(),
        ticket.orderId(),
        ticket.orderStatus(),
        ticket.reason(),
        paymentStatus(session, ticket),
        ticket.amount(),
        ticket.actions(),
        "High",
        SLA_TEXT);
  }

  private String paymentStatus(Session session, Ticket ticket) throws SQLException {
    var bill = bills.of(session, ticket.orderId());
    if (bill.isPresent()) {
      long left = bill.get().captured().amount() - bill.get().returned().amount();
      return left > 0 ? "PAID" : "REFUNDED";
    }
    return switch (ticket.type()) {
      case MANUAL_RECONCILIATION_REQUIRED, STATUS_UPDATE_FAILED, FAILED_TO_GET_ORDER -> "UNKNOWN";
      case MANUAL_REFUND_REQUIRED, UNEXPECTED_STATE, COMPENSATION_FAILED -> "UNPAID";
    };
  }

  /// Settles the tickets that the end of an order settles, and says whether others are left that
  /// matter to the customer.
  private boolean stillLooked(Session session, OrderEvent event) throws SQLException {
    boolean left = false;
    for (var ticket : tickets.stillOpen(session, event.orderId())) {
      if (!isSettledBy(session, event, ticket)) {
        left = true;
        continue;
      }
      var goods = goodsLeft(event, ticket);
      var text = "The order is " + event.status() + " now" + goods;
      tickets.note(session, ticket, Tickets.SYSTEM, text, event.at());
      if (goods.isEmpty()) tickets.resolve(session, ticket, Resolution.SETTLED, event.at());
      else tickets.seen(session, ticket, event.version());
    }
    return left;
  }

  /// What is left over of an order that has ended, in words; nothing if nothing is. It is no longer
  /// the customer's business, but somebody's.
  private static String goodsLeft(OrderEvent event, Ticket ticket) {
    if (ticket.type() != TicketType.COMPENSATION_FAILED) return "";
    var steps = new ArrayList<>(event.leftUndone());
    steps.remove(OrderSagas.CHARGE); // of the money the books tell more
    return steps.isEmpty()
        ? ""
        : ", but the undoing of "
            + String.join(", ", steps)
            + " was given up: give back what is left over, then resolve as no_action";
  }

  /// Doubt about an order is over when the order has ended since. What could not be taken back is
  /// back when it has ended and we keep nothing of the customer's money.
  private boolean isSettledBy(Session session, OrderEvent event, Ticket ticket)
      throws SQLException {
    if (!ticket.subject().equals(event.sagaId())) return false;
    if (tickets.seenVersion(session, ticket) >= event.version()) return false;
    return switch (ticket.type()) {
      case MANUAL_RECONCILIATION_REQUIRED, UNEXPECTED_STATE -> true;
      case COMPENSATION_FAILED -> !keepsMoney(session, event.orderId());
      case MANUAL_REFUND_REQUIRED, STATUS_UPDATE_FAILED, FAILED_TO_GET_ORDER -> false;
    };
  }

  private boolean keepsMoney(Session session, String orderId) throws SQLException {
    var bill = bills.of(session, orderId);
    if (bill.isEmpty()) return false;
    long left = bill.get().captured().amount() - bill.get().returned().amount();
    for (var refund : refunds.of(session, orderId)) {
      var returned = refund.returned();
      if (returned != null) left -= returned.amount();
    }
    return left > 0;
  }

  private void settleReconciliation(Session session, Refund refund, String how, Instant now)
      throws SQLException {
    for (var ticket : tickets.stillOpen(session, refund.orderId())) {
      if (!ticket.subject().equals(refund.id())) continue;
      tickets.note(session, ticket, Tickets.SYSTEM, refund.id() + " was " + how, now);
      tickets.resolve(session, ticket, Resolution.SETTLED, now);
    }
  }

  /// Tells sagas what people found out when it could not be told yet. To be called now and then.
  /// Returns how many there were.
  public int tellFindings(Instant now) {
    return tables.write(
        "tell what was found out",
        session -> {
          var untold = tickets.untold(session, now, BATCH);
          for (var finding : untold) tell(session, finding, now);
          return untold.size();
        });
  }

  private void tell(Session session, Tickets.Untold untold, Instant now) throws SQLException {
    var ticket = tickets.lock(session, untold.ticketNo()).orElseThrow();
    boolean happened = ticket.resolution() != Resolution.DID_NOT_HAPPEN;
    var finding = new Finding(happened, untold.foundBy(), "ticket " + ticket.id());
    var later =
        decisions.waits(session, ticket.subject())
            ? decisions.rule(session, ticket.subject(), finding)
            : Optional.<Instant>empty();
    if (later.isEmpty()) tickets.told(session, ticket, now);
    else tickets.tellLater(session, ticket, later.get(), untold.foundBy());
  }

  /// Opens tickets again whose saga did not take the finding and still waits: what a person saw was
  /// no longer so when the saga heard of it. To be called now and then. Returns how many there
  /// were.
  public int reopenUnheeded(Instant now) {
    return tables.write(
        "look whether findings were heeded",
        session -> {
          int reopened = 0;
          for (var ticket : tickets.unheeded(session, now.minus(HEEDED_WITHIN), BATCH)) {
            boolean waits = decisions.waits(session, ticket.subject());
            if (waits && tickets.reopen(session, ticket)) {
              var text = ticket.subject() + " has moved since and still waits; please look again";
              tickets.note(session, ticket, Tickets.SYSTEM, text, now);
              reopened++;
            } else {
              tickets.heeded(session, ticket, now);
            }
          }
          return reopened;
        });
  }

  /// Marks the tickets whose time has run out, with one alert for each. To be called now and then.
  /// Returns how many there were.
  public int markOverdue(Instant now) {
    return tables.write(
        "mark overdue tickets",
        session -> {
          var overdue = tickets.markOverdue(session, now, BATCH);
          for (var ticket : overdue) {
            var alert = alert(session, ticket, "Overdue: " + ticket.type().title());
            postbox.alert(session, "overdue-" + ticket.id(), alert, now);
          }
          return overdue.size();
        });
  }
}
