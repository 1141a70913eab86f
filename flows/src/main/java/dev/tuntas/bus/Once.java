package dev.tuntas.bus;

import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes at-least-once into once for the handlers of one queue: a message is read strictly, and its
/// id is noted in the transaction of its effect. What a fast memory takes for known is looked up in
/// the database all the same.
public final class Once {

  private static final Logger log = LoggerFactory.getLogger(Once.class);

  /// How long the database remembers.
  public static final Duration KEEP = Duration.ofDays(7);

  private static final int PURGE_BATCH = 1_000;

  private static final String NOTE =
      "insert into bus_seen (queue, message_id, at) values (?, ?, ?) on conflict do nothing";

  private static final String KNOWN = "select 1 from bus_seen where queue = ? and message_id = ?";

  private static final String PURGE =
      """
      delete from bus_seen where (queue, message_id) in (
        select queue, message_id from bus_seen where at < ? limit ?)
      """;

  /// An effect in the database that also notes the message.
  @FunctionalInterface
  public interface Effect {
    void apply(Session session, CloudEvent event) throws SQLException;
  }

  /// An effect elsewhere, which must bear repetition by itself: it is noted after it was had.
  @FunctionalInterface
  public interface Action {
    void perform(CloudEvent event) throws Exception;
  }

  /// Checks the data before anything is done.
  @FunctionalInterface
  public interface Check {
    void check(CloudEvent event) throws Refused;
  }

  private final Tables tables;
  private final String queue;
  private final Recent recent;
  private final BusWatch watch;
  private final InstantSource clock;

  public Once(Tables tables, String queue, Recent recent, BusWatch watch, InstantSource clock) {
    this.tables = tables;
    this.queue = queue;
    this.recent = recent;
    this.watch = watch;
    this.clock = clock;
  }

  /// A handler whose effect is in the same database.
  public Handler writing(Check check, Effect effect) {
    return message -> {
      var event = CloudEvent.read(message);
      check.check(event);
      if (isKnown(message)) return;
      if (onlyOnce(message, event, effect)) {
        recent.remember(name(message));
      } else {
        skipped(message, BusWatch.Layer.DATABASE);
      }
    };
  }

  private boolean onlyOnce(Message message, CloudEvent event, Effect effect) {
    return tables.write(
        "take " + message.kind() + " " + message.id(),
        session -> {
          if (!note(session, message)) return false;
          effect.apply(session, event);
          return true;
        });
  }

  /// A handler whose effect is elsewhere.
  public Handler performing(Action action) {
    return message -> {
      var event = CloudEvent.read(message);
      if (isKnown(message)) return;
      if (isNoted(message)) {
        skipped(message, BusWatch.Layer.DATABASE);
        return;
      }
      action.perform(event);
      tables.write("note " + message.id(), session -> note(session, message));
      recent.remember(name(message));
    };
  }

  /// Whether both layers know it.
  private boolean isKnown(Message message) {
    if (!recent.seen(name(message)) || !isNoted(message)) return false;
    skipped(message, BusWatch.Layer.REDIS);
    return true;
  }

  private boolean isNoted(Message message) {
    return tables.read("look for " + message.id(), session -> has(session, message));
  }

  private void skipped(Message message, BusWatch.Layer layer) {
    watch.duplicate(layer);
    log.atInfo()
        .addKeyValue("message_id", message.id())
        .addKeyValue("queue", queue)
        .log("Duplicate message detected, skipping");
  }

  private String name(Message message) {
    return queue + "/" + message.id();
  }

  private boolean note(Session session, Message message) throws SQLException {
    return session.update(NOTE, queue, message.id(), clock.instant()) == 1;
  }

  private boolean has(Session session, Message message) throws SQLException {
    return session.first(KNOWN, row -> row.getInt(1), queue, message.id()).isPresent();
  }

  /// Forgets one batch of what was taken too long ago. Returns whether there may be more.
  public static boolean purge(Tables tables, InstantSource clock) {
    var before = clock.instant().minus(KEEP);
    return tables.write(
            "forget which messages were taken",
            session -> session.update(PURGE, before, PURGE_BATCH))
        == PURGE_BATCH;
  }
}
