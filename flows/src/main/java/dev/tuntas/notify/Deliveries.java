package dev.tuntas.notify;

import dev.tuntas.store.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/// The table of deliveries, as a courier works on it. Methods run in the caller's transaction.
final class Deliveries {

  /// A message that waits. `dueAt` is the fence: whoever moves it has the delivery.
  record Waiting(long no, String cause, int attempts, Instant dueAt, String kind, String body) {}

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static final String DUE =
      """
      select no, cause, attempts, next_attempt_at, kind, body from support_delivery
       where channel = ? and next_attempt_at <= ? order by next_attempt_at, no limit ?
      """;

  private static final String CLAIM =
      """
      update support_delivery set attempts = attempts + 1, next_attempt_at = ?
       where no = ? and next_attempt_at = ?
      """;

  private static final String SENT =
      """
      update support_delivery
         set sent_at = ?, sent_as = ?, error = ?, next_attempt_at = null
       where no = any (?) and next_attempt_at is not null
      """;

  private static final String LATER =
      """
      update support_delivery set next_attempt_at = ?, error = ?
       where no = any (?) and next_attempt_at is not null
      """;

  private static final String BURY =
      """
      update support_delivery set dead_at = ?, error = ?, next_attempt_at = null
       where no = any (?) and next_attempt_at is not null
      """;

  private static final String FORGET =
      """
      delete from support_delivery where no in (
        select no from support_delivery where channel = ? and sent_at < ? limit ?)
      """;

  private static final String SENT_SINCE =
      "select count(distinct sent_as) from support_delivery where channel = ? and sent_at > ?";

  private final String channel;

  Deliveries(String channel) {
    this.channel = channel;
  }

  List<Waiting> due(Session session, Instant now, int limit) throws SQLException {
    return session.list(
        DUE,
        row ->
            new Waiting(
                row.getLong(1),
                row.getString(2),
                row.getInt(3),
                Instant.ofEpochMilli(row.getLong(4)),
                row.getString(5),
                row.getString(6)),
        channel,
        now,
        limit);
  }

  /// Those of them that are the caller's until then, with this attempt counted.
  List<Waiting> claim(Session session, List<Waiting> wanted, Instant until) throws SQLException {
    var claimed = new ArrayList<Waiting>();
    for (var one : wanted) {
      if (session.update(CLAIM, until, one.no, one.dueAt) == 0) continue;
      claimed.add(new Waiting(one.no, one.cause, one.attempts + 1, until, one.kind, one.body));
    }
    return claimed;
  }

  int forget(Session session, Instant sentBefore, int limit) throws SQLException {
    return session.update(FORGET, channel, sentBefore, limit);
  }

  /// How many parcels the channel has taken within the last minute.
  int sentLastMinute(Session session, Instant now) throws SQLException {
    return session.first(SENT_SINCE, row -> row.getInt(1), channel, now.minus(MINUTE)).orElse(0);
  }

  /// Returns how many were still waiting.
  int sent(Session session, Collection<Long> nos, String as, String remark, Instant now)
      throws SQLException {
    return session.update(SENT, now, as, remark, nos);
  }

  int later(Session session, Collection<Long> nos, Instant when, String why) throws SQLException {
    return session.update(LATER, when, why, nos);
  }

  int bury(Session session, Collection<Long> nos, String why, Instant now) throws SQLException {
    return session.update(BURY, now, why, nos);
  }
}
