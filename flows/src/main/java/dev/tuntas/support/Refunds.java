package dev.tuntas.support;

import dev.tuntas.money.Money;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import dev.tuntas.support.Bills.Bill;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives money back when a person says so, and never more than was paid.
///
/// A refund is written down, with its claim on the budget, before it is sent; a saga of its own
/// then brings it about. A refund of everything uses the key of the order's own refund, so that the
/// two together pay once.
public final class Refunds {

  private static final Logger log = LoggerFactory.getLogger(Refunds.class);
  private static final int CLICK_MAX = 255;

  /// Starts the saga of a refund. A saga that is known is left as it is.
  @FunctionalInterface
  public interface Starter {
    void start(String refundId, RefundTask task);
  }

  /// What a person asks for.
  ///
  /// @param amount in minor units; without it, all that is left
  /// @param currency the order's, if it is not said
  /// @param click names the request: the same again is the same refund
  /// @param seenVersion the ticket's that the person looked at, if that matters
  public record Wish(
      String actor,
      String ticketId,
      @Nullable Long amount,
      @Nullable String currency,
      String click,
      @Nullable Long seenVersion) {

    public Wish {
      if (click.isEmpty() || click.length() > CLICK_MAX) {
        throw new IllegalArgumentException("a click's name has 1 to " + CLICK_MAX + " characters");
      }
    }

    private String fingerprint() {
      return ticketId + " " + (amount == null ? "all" : amount) + " " + currency;
    }
  }

  private static final class ClickTaken extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final Tables tables;
  private final Bills bills;
  private final AuditTrail audit;
  private final MoneyNews news;
  private final Starter starter;
  private final InstantSource clock;
  private final Tickets tickets = new Tickets();
  private final RefundBook book = new RefundBook();

  public Refunds(
      Tables tables,
      Bills bills,
      AuditTrail audit,
      MoneyNews news,
      Starter starter,
      InstantSource clock) {
    this.tables = tables;
    this.bills = bills;
    this.audit = audit;
    this.news = news;
    this.starter = starter;
    this.clock = clock;
  }

  /// Accepts a refund or says why not. What was accepted will be carried out.
  public Answer<Refund> request(Wish wish) {
    Answer<Refund> answer;
    try {
      answer = attempt(wish);
    } catch (ClickTaken sameMoment) {
      answer = attempt(wish); // now it is there to be found
    }
    if (answer instanceof Answer.Done<Refund>(var refund, _)) start(refund);
    return answer;
  }

  private Answer<Refund> attempt(Wish wish) {
    return tables.write(
        "refund an order for ticket " + wish.ticketId, session -> decide(session, wish));
  }

  private Answer<Refund> decide(Session session, Wish wish) throws SQLException {
    var ticket = tickets.lock(session, wish.ticketId).orElse(null);
    var before = book.clicked(session, wish.actor, wish.click).orElse(null);
    if (before != null) {
      return before.fingerprint().equals(wish.fingerprint())
          ? Answer.again(before.refund())
          : Answer.refused(
              Refusal.invalid(
                  "idempotency_key_reused",
                  "This Idempotency-Key was used for another refund; use a new one."));
    }
    if (ticket == null) return Answer.refused(Refusal.noTicket());
    if (wish.seenVersion != null && wish.seenVersion != ticket.version()) {
      return Answer.refused(Refusal.changed(ticket.version()));
    }
    if (ticket.isResolved()) {
      return Answer.refused(
          Refusal.conflict("ticket_resolved", "A resolved ticket refunds nothing any more."));
    }
    var bill = bills.of(session, ticket.orderId()).orElse(null);
    if (bill == null || bill.captured().amount() == 0) {
      return Answer.refused(
          Refusal.conflict(
              "nothing_to_refund", "No payment of this order is known that could be refunded."));
    }
    return grant(session, wish, ticket, bill);
  }

  private Answer<Refund> grant(Session session, Wish wish, Ticket ticket, Bill bill)
      throws SQLException {
    var currency = bill.captured().currency();
    if (wish.currency != null && !wish.currency.equals(currency)) {
      return Answer.refused(
          Refusal.invalid("refund_amount_invalid", "The order was paid in " + currency + "."));
    }
    if (wish.amount != null && wish.amount <= 0) {
      return Answer.refused(
          Refusal.invalid("refund_amount_invalid", "A refund is of more than nothing."));
    }
    long remaining = book.remaining(session, ticket.orderId(), bill);
    long amount = wish.amount == null ? remaining : wish.amount;
    if (remaining == 0 || amount > remaining) {
      return Answer.refused(
          Refusal.invalid(
              "refund_exceeds_captured",
              "Of this order, "
                  + new Money(remaining, currency).text()
                  + " can still be refunded."));
    }
    boolean all = wish.amount == null || amount == bill.captured().amount();
    var refund = newRefund(session, ticket, new Money(amount, currency), all);
    if (!book.add(session, refund, wish.actor, wish.click, wish.fingerprint())) {
      throw new ClickTaken();
    }
    writeDown(session, wish, ticket, refund);
    if (ticket.isOfRide()) news.refundBegun(session, refund);
    return Answer.done(refund);
  }

  /// The order's own key for all of it, and numbers for parts. If all of it was asked for before
  /// and did not happen, it is asked for again under that key, by a saga that has a number.
  private Refund newRefund(Session session, Ticket ticket, Money amount, boolean all)
      throws SQLException {
    var earlier = book.of(session, ticket.orderId());
    var key = Refund.keyOfWhole(ticket.orderId());
    boolean first = earlier.stream().noneMatch(one -> one.id().equals(key));
    boolean whole = all && earlier.stream().allMatch(Refunds::canBeAskedAgain);
    long numbered = earlier.stream().filter(one -> !one.id().equals(key)).count();
    return new Refund(
        whole && first ? key : key + "-" + (numbered + 1),
        ticket.orderId(),
        ticket.no(),
        amount,
        whole,
        Refund.Status.REQUESTED,
        clock.instant(),
        null,
        null);
  }

  /// What has its answer under the key of everything must not be answered with that again.
  private static boolean canBeAskedAgain(Refund earlier) {
    return !earlier.whole() || earlier.status() == Refund.Status.REFUSED;
  }

  private void writeDown(Session session, Wish wish, Ticket ticket, Refund refund)
      throws SQLException {
    var what = "refund of " + refund.amount().text() + " as " + refund.id();
    tickets.takeUp(session, ticket);
    tickets.note(session, ticket, wish.actor, "Asked for a " + what, refund.requestedAt());
    audit.append(
        session,
        new AuditTrail.Entry(
            wish.actor, "ticket.refund", ticket.id(), ticket.status().word(), what, ""));
  }

  /// Starts refunds that were accepted and whose process died before they were started. To be
  /// called now and then. Returns how many there were.
  public int startRequested(int limit) {
    var waiting =
        tables.read("look for accepted refunds", session -> book.requested(session, limit));
    for (var refund : waiting) start(refund);
    return waiting.size();
  }

  private void start(Refund refund) {
    if (refund.status() != Refund.Status.REQUESTED) return;
    try {
      starter.start(refund.id(), task(refund));
      tables.write(
          "note that refund " + refund.id() + " was started",
          session -> book.started(session, refund.id()));
    } catch (RuntimeException later) {
      // It is written down; startRequested comes back to it.
      log.atWarn()
          .addKeyValue("order_id", refund.orderId())
          .log("refund {} will be started later: {}", refund.id(), later.toString());
    }
  }

  private RefundTask task(Refund refund) {
    if (!refund.whole()) return new RefundTask(refund.orderId(), refund.amount(), false, null);
    var captured =
        tables.read(
            "read what was paid for " + refund.orderId(),
            session -> book.captured(session, refund.orderId()));
    return new RefundTask(refund.orderId(), captured, true, null);
  }

  /// All refunds of an order by people, oldest first.
  public List<Refund> of(String orderId) {
    return tables.read("read the refunds of " + orderId, session -> book.of(session, orderId));
  }
}
