package dev.tuntas.server.support;

import dev.tuntas.audit.Audit;
import dev.tuntas.bus.MessageBook;
import dev.tuntas.bus.MessageBook.Dead;
import dev.tuntas.notify.DeadDeliveries.Fate;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.util.List;

/// Messages that the broker refused again and again. Those that a consumer refused are in
/// [BrokerQueue].
final class BusQueue implements DeadLetterQueue {

  private final Tables tables;
  private final Audit audit;
  private final MessageBook book = new MessageBook();

  BusQueue(Tables tables, Audit audit) {
    this.tables = tables;
    this.audit = audit;
  }

  @Override
  public String name() {
    return "bus";
  }

  @Override
  public List<DeadLetter> list(int limit) {
    var dead = tables.read("list dead messages", session -> book.dead(session, limit));
    return dead.reversed().stream().map(this::shown).toList();
  }

  private DeadLetter shown(Dead one) {
    var message = one.message();
    return new DeadLetter(
        name() + "-" + one.pos(),
        name(),
        message.key(),
        message.kind() + " " + message.id(),
        one.error(),
        one.attempts(),
        one.at());
  }

  private interface Step {
    boolean take(Session session, long pos) throws SQLException;
  }

  @Override
  public Fate replay(String key, Wish wish) {
    return take(key, wish, "replay", book::revive);
  }

  @Override
  public Fate discard(String key, Wish wish) {
    return take(key, wish, "discard", book::discard);
  }

  /// A message that was put back or dropped before is as unknown as one that never was.
  private Fate take(String key, Wish wish, String verb, Step step) {
    if (!key.matches("\\d{1,18}")) return Fate.UNKNOWN;
    long pos = Long.parseLong(key);
    return tables.write(
        verb + " message " + pos,
        session -> {
          if (!step.take(session, pos)) return Fate.UNKNOWN;
          var deed = wish.caller().did("dead_letter." + verb, name() + "-" + pos);
          audit.append(session, deed.because(wish.reason()));
          return Fate.DONE;
        });
  }
}
