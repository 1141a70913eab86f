package dev.tuntas.server.support;

import dev.tuntas.audit.Audit;
import dev.tuntas.notify.DeadDeliveries;
import dev.tuntas.notify.DeadDeliveries.DeadDelivery;
import dev.tuntas.notify.DeadDeliveries.Fate;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;

/// Messages to people that no channel took.
final class DeliveryQueue implements DeadLetterQueue {

  private final Tables tables;
  private final Audit audit;
  private final InstantSource clock;
  private final DeadDeliveries dead = new DeadDeliveries();

  DeliveryQueue(Tables tables, Audit audit, InstantSource clock) {
    this.tables = tables;
    this.audit = audit;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "delivery";
  }

  @Override
  public List<DeadLetter> list(int limit) {
    var found =
        tables.read(
            "list dead deliveries", session -> dead.list(session, null, Long.MAX_VALUE, limit));
    return found.stream().map(this::shown).toList();
  }

  private DeadLetter shown(DeadDelivery one) {
    return new DeadLetter(
        name() + "-" + one.no(),
        name(),
        one.orderId(),
        one.channel() + " " + one.cause(),
        one.error(),
        one.attempts(),
        one.at());
  }

  private interface Step {
    Fate take(Session session, long no) throws SQLException;
  }

  @Override
  public Fate replay(String key, Wish wish) {
    return take(key, wish, "replay", (session, no) -> dead.replay(session, no, clock.instant()));
  }

  @Override
  public Fate discard(String key, Wish wish) {
    return take(key, wish, "discard", (session, no) -> dead.discard(session, no, clock.instant()));
  }

  private Fate take(String key, Wish wish, String verb, Step step) {
    if (!key.matches("\\d{1,18}")) return Fate.UNKNOWN;
    long no = Long.parseLong(key);
    return tables.write(
        verb + " delivery " + no,
        session -> {
          var fate = step.take(session, no);
          if (fate == Fate.DONE) {
            var deed = wish.caller().did("dead_letter." + verb, name() + "-" + no);
            audit.append(session, deed.because(wish.reason()));
          }
          return fate;
        });
  }
}
