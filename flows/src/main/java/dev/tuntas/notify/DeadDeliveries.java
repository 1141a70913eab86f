package dev.tuntas.notify;

import dev.tuntas.store.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Deliveries that were given up on. They can be looked at, put back, and dropped for good; all
/// methods run in the caller's transaction.
public final class DeadDeliveries {

  /// @param at when it was given up on
  public record DeadDelivery(
      long no,
      String cause,
      String channel,
      String orderId,
      String body,
      int attempts,
      String error,
      Instant at) {}

  /// What became of a wish to put one back or to drop it.
  public enum Fate {
    DONE,
    /// It was done before, or has been sent since.
    ALREADY,
    /// It was dropped, or is no dead letter yet.
    NOT_POSSIBLE,
    UNKNOWN
  }

  private static final String COLUMNS =
      "select no, cause, channel, order_id, body, attempts, error, dead_at from support_delivery";

  private static final String LIST =
      COLUMNS
          + """
           where dead_at is not null and discarded_at is null and no < ?
             and (? = '' or channel = ?) order by no desc limit ?
          """;

  private static final String COUNT =
      """
      select count(*) from support_delivery
       where dead_at is not null and discarded_at is null and (? = '' or channel = ?)
      """;

  private static final String STATE =
      """
      select case when discarded_at is not null then 'discarded' when dead_at is not null then 'dead'
                  else 'alive' end from support_delivery where no = ? for update
      """;

  private static final String REVIVE =
      """
      update support_delivery set dead_at = null, attempts = 0, next_attempt_at = ?
       where no = ? and dead_at is not null and discarded_at is null
      """;

  private static final String DISCARD =
      """
      update support_delivery set discarded_at = ?
       where no = ? and dead_at is not null and discarded_at is null
      """;

  /// Newest first, those older than `before`. Without a channel, of all of them.
  public List<DeadDelivery> list(Session session, @Nullable String channel, long before, int limit)
      throws SQLException {
    var wanted = channel == null ? "" : channel;
    return session.list(LIST, DeadDeliveries::read, before, wanted, wanted, limit);
  }

  public int count(Session session, @Nullable String channel) throws SQLException {
    var wanted = channel == null ? "" : channel;
    return session.first(COUNT, row -> row.getInt(1), wanted, wanted).orElse(0);
  }

  /// Puts one back, with its cause and fresh attempts. `at` spreads many over time.
  public Fate replay(Session session, long no, Instant at) throws SQLException {
    return switch (state(session, no)) {
      case "dead" -> session.update(REVIVE, at, no) == 1 ? Fate.DONE : Fate.ALREADY;
      case "alive" -> Fate.ALREADY;
      case "discarded" -> Fate.NOT_POSSIBLE;
      default -> Fate.UNKNOWN;
    };
  }

  /// Drops one for good; the table remembers it, so that its cause makes no new one.
  public Fate discard(Session session, long no, Instant now) throws SQLException {
    return switch (state(session, no)) {
      case "dead" -> session.update(DISCARD, now, no) == 1 ? Fate.DONE : Fate.ALREADY;
      case "discarded" -> Fate.ALREADY;
      case "alive" -> Fate.NOT_POSSIBLE;
      default -> Fate.UNKNOWN;
    };
  }

  private static String state(Session session, long no) throws SQLException {
    return session.first(STATE, row -> row.getString(1), no).orElse("unknown");
  }

  private static DeadDelivery read(ResultSet row) throws SQLException {
    return new DeadDelivery(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getInt(6),
        row.getString(7),
        Instant.ofEpochMilli(row.getLong(8)));
  }
}
