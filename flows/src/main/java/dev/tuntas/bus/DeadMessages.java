package dev.tuntas.bus;

import dev.tuntas.engine.StoreException;
import dev.tuntas.store.Session;
import dev.tuntas.store.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What handlers gave up on, taken from the broker into the database, where people see it and
/// decide. All methods but the first run in the caller's transaction.
public final class DeadMessages {

  private static final Logger log = LoggerFactory.getLogger(DeadMessages.class);

  /// One of them, by its place in the list.
  public record Kept(long pos, DeadMessage message) {}

  private static final String PUT =
      """
      insert into bus_dead_message (queue, id, kind, key, body, trace, is_command, reason, attempts, at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (queue, id) do nothing
      """;

  private static final String COLUMNS =
      """
      select pos, queue, id, kind, key, body, trace, is_command, reason, attempts, at
        from bus_dead_message
      """;

  private static final String LIST = COLUMNS + " order by pos desc limit ?";
  private static final String FIND = COLUMNS + " where pos = ? for update";
  private static final String REMOVE = "delete from bus_dead_message where pos = ?";

  /// Takes the dead letters of a queue from the broker, from now on.
  public static Subscription collect(Bus bus, String queue, Set<String> kinds, Tables tables) {
    return bus.collect(queue, kinds, dead -> keep(tables, dead));
  }

  /// One that cannot be kept as it is, is set aside: it must not stand in the way of all others.
  static void keep(Tables tables, DeadMessage dead) {
    try {
      put(tables, dead);
    } catch (RuntimeException failure) {
      if (StoreException.isBehind(failure)) throw failure;
      var aside = dead.setAside(failure);
      put(tables, aside);
      log.warn("{} of {} was set aside. {}", aside.id(), aside.queue(), aside.reason());
    }
  }

  private static void put(Tables tables, DeadMessage dead) {
    tables.write(
        "keep a dead letter of " + dead.queue(),
        session ->
            session.update(
                PUT,
                dead.queue(),
                dead.id(),
                dead.kind(),
                dead.key(),
                dead.body(),
                dead.trace(),
                dead.isCommand() ? 1 : 0,
                dead.reason(),
                dead.attempts(),
                dead.at()));
  }

  /// Newest first.
  public List<Kept> list(Session session, int limit) throws SQLException {
    return session.list(LIST, DeadMessages::kept, limit);
  }

  public long count(Session session) throws SQLException {
    return session.first("select count(*) from bus_dead_message", row -> row.getLong(1)).orElse(0L);
  }

  public Optional<DeadMessage> find(Session session, long pos) throws SQLException {
    return session.first(FIND, DeadMessages::kept, pos).map(Kept::message);
  }

  /// False when there is none.
  public boolean remove(Session session, long pos) throws SQLException {
    return session.update(REMOVE, pos) == 1;
  }

  private static Kept kept(ResultSet row) throws SQLException {
    var message =
        new DeadMessage(
            row.getString(2),
            row.getString(3),
            row.getString(4),
            row.getString(5),
            row.getString(6),
            row.getString(7),
            row.getInt(8) == 1,
            row.getString(9),
            row.getInt(10),
            Instant.ofEpochMilli(row.getLong(11)));
    return new Kept(row.getLong(1), message);
  }
}
