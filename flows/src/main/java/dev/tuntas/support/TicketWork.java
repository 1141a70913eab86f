package dev.tuntas.support;

import dev.tuntas.money.Money;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import dev.tuntas.support.Decisions.Finding;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What people do with tickets. Every deed is one transaction with its audit entry and, where it
/// decides about a saga, with what the saga is told.
public final class TicketWork {

  /// Who does something to which ticket. With `seenVersion`, only if nothing has changed since.
  public record Deed(String actor, String ticketId, @Nullable Long seenVersion) {}

  @FunctionalInterface
  private interface Work {
    Optional<Refusal> on(Session session, Ticket ticket) throws SQLException;
  }

  private final Tables tables;
  private final Decisions decisions;
  private final Bills bills;
  private final AuditTrail audit;
  private final InstantSource clock;
  private final Tickets tickets = new Tickets();
  private final RefundBook refunds = new RefundBook();

  public TicketWork(
      Tables tables, Decisions decisions, Bills bills, AuditTrail audit, InstantSource clock) {
    this.tables = tables;
    this.decisions = decisions;
    this.bills = bills;
    this.audit = audit;
    this.clock = clock;
  }

  /// Order and payment were looked at.
  public Answer<Ticket> verify(Deed deed) {
    return work(
        deed,
        (session, ticket) -> {
          if (ticket.isResolved()) return Optional.of(resolvedAlready(ticket));
          tickets.verify(session, ticket, clock.instant());
          append(session, deed, "ticket.verify", ticket, "in_progress", "");
          return Optional.empty();
        });
  }

  /// Something worth knowing; also about a ticket that is resolved.
  public Answer<Ticket> note(Deed deed, String text) {
    var flaw = NoteText.flaw(text);
    if (flaw.isPresent()) return Answer.refused(flaw.get());
    return work(
        deed,
        (session, ticket) -> {
          tickets.note(session, ticket, deed.actor, text, clock.instant());
          append(session, deed, "ticket.note", ticket, ticket.status().word(), "");
          return Optional.empty();
        });
  }

  /// Ends a ticket. `HAPPENED` and `DID_NOT_HAPPEN` tell the saga that waits for it, with the note
  /// as evidence.
  public Answer<Ticket> resolve(Deed deed, Resolution how, @Nullable String note) {
    if (how == Resolution.SETTLED) throw new IllegalArgumentException("nobody settles a ticket");
    var flaw = note == null ? Optional.<Refusal>empty() : NoteText.flaw(note);
    if (flaw.isPresent()) return Answer.refused(flaw.get());
    return work(
        deed,
        (session, ticket) -> {
          var refusal = objection(session, ticket, how);
          if (refusal.isPresent()) return refusal;
          var later = decide(session, deed, ticket, how, note);
          if (note != null) tickets.note(session, ticket, deed.actor, note, clock.instant());
          tickets.resolve(session, ticket, how, clock.instant());
          if (later.isPresent()) tickets.tellLater(session, ticket, later.get(), deed.actor);
          append(session, deed, "ticket.resolve", ticket, how.word(), note == null ? "" : note);
          return Optional.empty();
        });
  }

  private Answer<Ticket> work(Deed deed, Work work) {
    return tables.write(
        "work on ticket " + deed.ticketId,
        session -> {
          var ticket = tickets.lock(session, deed.ticketId).orElse(null);
          if (ticket == null) return Answer.refused(Refusal.noTicket());
          if (deed.seenVersion != null && deed.seenVersion != ticket.version()) {
            return Answer.refused(Refusal.changed(ticket.version()));
          }
          var refusal = work.on(session, ticket);
          if (refusal.isPresent()) return Answer.refused(refusal.get());
          return Answer.done(tickets.find(session, ticket.id()).orElseThrow());
        });
  }

  /// Why this ticket cannot be resolved so, if that is the case.
  private Optional<Refusal> objection(Session session, Ticket ticket, Resolution how)
      throws SQLException {
    if (ticket.isResolved()) return Optional.of(resolvedAlready(ticket));
    boolean isFinding = how == Resolution.HAPPENED || how == Resolution.DID_NOT_HAPPEN;
    // An order that cannot be read cannot hear a decision either.
    boolean waits =
        ticket.type() != TicketType.FAILED_TO_GET_ORDER
            && decisions.waits(session, ticket.subject());
    if (isFinding) return waits ? Optional.empty() : Optional.of(nothingToDecide(ticket));
    boolean undone = isUndoneByRefund(session, ticket, how);
    if (waits && !undone) {
      return Optional.of(
          Refusal.conflict(
              "decision_needed",
              ticket.subject()
                  + " waits for a decision: resolve the ticket as happened or did_not_happen."));
    }
    var objection = moneyObjection(session, ticket, how);
    return objection.isEmpty() && undone ? restObjection(session, ticket) : objection;
  }

  /// The order will not refund the rest any more once it hears that its refund was made.
  private Optional<Refusal> restObjection(Session session, Ticket ticket) throws SQLException {
    var bill = bills.of(session, ticket.orderId()).orElse(null);
    if (bill == null) return Optional.empty();
    long returned = bill.returned().amount();
    for (var one : refunds.of(session, ticket.orderId())) {
      if (one.returned() != null) returned += one.returned().amount();
    }
    long left = bill.captured().amount() - returned;
    return left <= 0
        ? Optional.empty()
        : Optional.of(
            Refusal.conflict(
                "not_refunded",
                new Money(left, bill.captured().currency()).text()
                    + " of this order is not refunded yet. Refund the rest; or resolve the ticket"
                    + " as did_not_happen, and the order does."));
  }

  private Optional<Refusal> moneyObjection(Session session, Ticket ticket, Resolution how)
      throws SQLException {
    var given = refunds.of(session, ticket.orderId());
    if (given.stream().anyMatch(one -> !one.status().isSettled())) {
      return Optional.of(
          Refusal.conflict(
              "refund_in_progress",
              "A refund of this order is under way; resolve the ticket when it is done."));
    }
    if (how != Resolution.REFUNDED) return Optional.empty();
    boolean done = given.stream().anyMatch(one -> one.status() == Refund.Status.DONE);
    boolean own =
        bills.of(session, ticket.orderId()).filter(b -> b.returned().amount() > 0).isPresent();
    return done || own
        ? Optional.empty()
        : Optional.of(
            Refusal.conflict(
                "not_refunded",
                "No refund of this order is known. Refund it first; or, if that was done"
                    + " elsewhere, resolve the ticket as no_action with a note that says so."));
  }

  /// A refund by hand is what the order's own refund could not do. It gives no goods back.
  private boolean isUndoneByRefund(Session session, Ticket ticket, Resolution how)
      throws SQLException {
    return how == Resolution.REFUNDED
        && ticket.type() == TicketType.COMPENSATION_FAILED
        && decisions.waitsForRefund(session, ticket.subject());
  }

  /// Tells the saga what it waits for, if anything, or says from when on it can be told.
  private Optional<Instant> decide(
      Session session, Deed deed, Ticket ticket, Resolution how, @Nullable String note)
      throws SQLException {
    boolean undone = isUndoneByRefund(session, ticket, how);
    if (how != Resolution.HAPPENED && how != Resolution.DID_NOT_HAPPEN && !undone) {
      return Optional.empty();
    }
    var evidence = "ticket " + ticket.id() + (note == null ? "" : ": " + note);
    boolean happened = how != Resolution.DID_NOT_HAPPEN;
    return decisions.rule(session, ticket.subject(), new Finding(happened, deed.actor, evidence));
  }

  private void append(
      Session session, Deed deed, String action, Ticket ticket, String after, String reason)
      throws SQLException {
    audit.append(
        session,
        new AuditTrail.Entry(
            deed.actor, action, ticket.id(), ticket.status().word(), after, reason));
  }

  private static Refusal resolvedAlready(Ticket ticket) {
    var how = ticket.resolution();
    return Refusal.conflict(
        "ticket_resolved",
        "The ticket was resolved as "
            + (how == null ? "" : how.word())
            + " at "
            + ticket.resolvedAt()
            + "; open questions can still be noted.");
  }

  private static Refusal nothingToDecide(Ticket ticket) {
    return Refusal.conflict(
        "nothing_to_decide",
        ticket.subject()
            + " does not wait for a decision; resolve the ticket as refunded or no_action.");
  }
}
