package dev.tuntas.server.support;

import dev.tuntas.audit.Audit;
import dev.tuntas.engine.Ruling.Kind;
import dev.tuntas.notify.DeadDeliveries.Fate;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import dev.tuntas.support.Ticket;
import dev.tuntas.support.Ticket.Status;
import dev.tuntas.support.TicketType;
import dev.tuntas.support.Tickets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Orders that could not take back what they did. Each has a ticket, which outlives the letter as
/// long as we keep money of the customer's.
final class CompensationQueue implements DeadLetterQueue {

  private final Tables tables;
  private final SagaDecisions decisions;
  private final Audit audit;
  private final Tickets tickets = new Tickets();

  CompensationQueue(Tables tables, SagaDecisions decisions, Audit audit) {
    this.tables = tables;
    this.decisions = decisions;
    this.audit = audit;
  }

  @Override
  public String name() {
    return "compensation";
  }

  @Override
  public List<DeadLetter> list(int limit) {
    var waiting = tables.read("list failed compensations", session -> waiting(session, limit));
    return waiting.stream().limit(limit).map(this::shown).toList();
  }

  private List<Ticket> waiting(Session session, int limit) throws SQLException {
    var waiting = new ArrayList<Ticket>();
    for (var status : new Status[] {Status.OPEN, Status.IN_PROGRESS}) {
      var filter = new Tickets.Filter(status, TicketType.COMPENSATION_FAILED, null);
      for (var ticket : tickets.list(session, filter, Long.MAX_VALUE, limit)) {
        if (decisions.waits(session, ticket.subject())) waiting.add(ticket);
      }
    }
    return waiting;
  }

  private DeadLetter shown(Ticket ticket) {
    return new DeadLetter(
        name() + "-" + ticket.subject(),
        name(),
        ticket.orderId(),
        ticket.type().name() + " " + ticket.id(),
        ticket.reason(),
        0,
        ticket.openedAt());
  }

  @Override
  public Fate replay(String key, Wish wish) {
    return take(key, wish, "replay", Kind.RETRY);
  }

  @Override
  public Fate discard(String key, Wish wish) {
    return take(key, wish, "discard", Kind.GIVE_UP);
  }

  private Fate take(String sagaId, Wish wish, String verb, Kind how) {
    return tables.write(
        verb + " the compensation of " + sagaId,
        session -> {
          var actor = wish.caller().client();
          var fate = decisions.goOn(session, sagaId, how, actor, wish.reason());
          if (fate == Fate.DONE) {
            var deed = wish.caller().did("dead_letter." + verb, name() + "-" + sagaId);
            audit.append(session, deed.because(wish.reason()));
          }
          return fate;
        });
  }
}
