package dev.tuntas.support;

import dev.tuntas.rides.Closing;
import dev.tuntas.store.Tables;
import java.time.Instant;

/// Gives back what was paid for rides that the system cancelled, by working on their tickets as a
/// person would: under the same budget, with the same keys. What cannot be given back is handed
/// over to people.
public final class AutomaticRefunds {

  private final Tables tables;
  private final Refunds refunds;
  private final SupportDesk desk;
  private final Tickets tickets = new Tickets();

  public AutomaticRefunds(Tables tables, Refunds refunds, SupportDesk desk) {
    this.tables = tables;
    this.refunds = refunds;
    this.desk = desk;
  }

  /// Begins the refunds that wait for it. To be called now and then. Returns how many there were.
  public int begin(Instant now, int limit) {
    var waiting =
        tables.read(
            "look for rides to refund",
            session ->
                tickets.untouched(
                    session, TicketType.MANUAL_REFUND_REQUIRED, Closing.AFTER_PAYMENT, limit));
    for (var ticket : waiting) begin(ticket, now);
    return waiting.size();
  }

  private void begin(Ticket ticket, Instant now) {
    var wish =
        new Refunds.Wish(Tickets.SYSTEM, ticket.id(), null, null, "automatic-" + ticket.id(), null);
    switch (refunds.request(wish)) {
      case Answer.Done<Refund> _ -> {}
      case Answer.Refused<Refund>(var refusal) ->
          tables.write(
              "hand over ticket " + ticket.id(),
              session -> {
                desk.handOver(session, ticket, refusal.message(), now);
                return true;
              });
    }
  }
}
