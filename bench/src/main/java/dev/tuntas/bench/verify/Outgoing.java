package dev.tuntas.bench.verify;

import dev.tuntas.simulator.verify.Finding.Tally;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.time.Duration;

/// Looks at what waits to be published or sent.
final class Outgoing {

  /// What has waited for so long is not on its way any more. The clock is that of the orders: a
  /// server that was stopped a year ago has nothing that is late.
  private static final Duration LATE = Duration.ofMinutes(10);

  private static final String NOW = "select coalesce(max(moved_at), 0) from tuntas_saga";
  private static final String NOTICES = "select count(*) from tuntas_outbox where not dead";
  private static final String LATE_NOTICES =
      "select saga_id || ' ' || type from tuntas_outbox where not dead and at < ?";
  private static final String DEAD_NOTICES =
      "select saga_id || ' ' || type from tuntas_outbox where dead";
  private static final String MESSAGES =
      "select count(*) from support_delivery where next_attempt_at is not null";
  private static final String DEAD_MESSAGES =
      """
      select order_id || ' ' || channel from support_delivery
       where dead_at is not null and discarded_at is null
      """;

  private final Tables tables;
  private final Tally tally = new Tally("O5", "nothing stays unpublished, and nothing is dead");
  private long undelivered;

  Outgoing(Tables tables) {
    this.tables = tables;
  }

  Line check() {
    undelivered = tables.read("count what is on its way", this::look);
    return new Line(tally.finding(), undelivered, "on their way");
  }

  private long look(Session session) throws SQLException {
    long late = number(session, NOW) - LATE.toMillis();
    add(session, "has waited to be published for too long", LATE_NOTICES, late);
    add(session, "could not be published", DEAD_NOTICES);
    add(session, "could not be sent", DEAD_MESSAGES);
    return number(session, NOTICES) + number(session, MESSAGES);
  }

  private void add(Session session, String what, String query, Object... values)
      throws SQLException {
    for (var name : session.list(query, row -> row.getString(1), values)) {
      tally.add(name + " " + what + ".");
    }
  }

  private static long number(Session session, String query) throws SQLException {
    return session.first(query, row -> row.getLong(1)).orElse(0L);
  }

  /// How many notices and messages were still to be delivered.
  long undelivered() {
    return undelivered;
  }
}
