package dev.tuntas.server.support;

import dev.tuntas.audit.Audit;
import dev.tuntas.bus.DeadMessage;
import dev.tuntas.bus.DeadMessages;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.MessageBook;
import dev.tuntas.notify.DeadDeliveries.Fate;
import dev.tuntas.server.http.Problem;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;

/// Messages that a consumer of ours gave up on. One that is replayed goes through the book with its
/// id, to all that listen to its kind; who had taken it before passes over it.
final class BrokerQueue implements DeadLetterQueue {

  private final Tables tables;
  private final Audit audit;
  private final InstantSource clock;
  private final DeadMessages dead = new DeadMessages();
  private final MessageBook book = new MessageBook();

  BrokerQueue(Tables tables, Audit audit, InstantSource clock) {
    this.tables = tables;
    this.audit = audit;
    this.clock = clock;
  }

  @Override
  public String name() {
    return "broker";
  }

  @Override
  public List<DeadLetter> list(int limit) {
    return tables
        .read("list messages that were given up on", session -> dead.list(session, limit))
        .stream()
        .map(it -> shown(it.pos(), it.message()))
        .toList();
  }

  private DeadLetter shown(long pos, DeadMessage message) {
    return new DeadLetter(
        name() + "-" + pos,
        name(),
        message.key(),
        message.kind() + " " + message.id() + " for " + message.queue(),
        message.reason(),
        message.attempts(),
        message.at());
  }

  @Override
  public int count() {
    return Math.toIntExact(tables.read("count messages that were given up on", dead::count));
  }

  @Override
  public Fate replay(String key, Wish wish) {
    return take(
        key,
        wish,
        "replay",
        (session, message) -> book.putAgain(session, sendable(message), clock.instant()));
  }

  @Override
  public Fate discard(String key, Wish wish) {
    return take(key, wish, "discard", (_, _) -> {});
  }

  private static Message sendable(DeadMessage message) {
    try {
      return message.message();
    } catch (IllegalArgumentException e) {
      throw Problem.of(
              409,
              "dead_letter_unreadable",
              "This is no message that could be sent again (" + e.getMessage() + "). Discard it.")
          .asException();
    }
  }

  private interface Step {
    void take(Session session, DeadMessage message) throws SQLException;
  }

  /// A message that was put back or dropped before is as unknown as one that never was.
  private Fate take(String key, Wish wish, String verb, Step step) {
    if (!key.matches("\\d{1,18}")) return Fate.UNKNOWN;
    long pos = Long.parseLong(key);
    return tables.write(
        verb + " dead letter " + pos,
        session -> {
          var message = dead.find(session, pos);
          if (message.isEmpty()) return Fate.UNKNOWN;
          step.take(session, message.get());
          dead.remove(session, pos);
          var deed = wish.caller().did("dead_letter." + verb, name() + "-" + pos);
          audit.append(session, deed.because(wish.reason()));
          return Fate.DONE;
        });
  }
}
