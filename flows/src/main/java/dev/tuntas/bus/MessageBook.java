package dev.tuntas.bus;

import dev.tuntas.store.Session;
import dev.tuntas.store.TableSet;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Messages that are to go out, in the database of whoever wants them to: what is committed there
/// is published, once or more, or else expires and is published never. All methods run in the
/// caller's transaction.
public final class MessageBook {

  public static final TableSet TABLES = TableSet.of("bus");

  /// Until when a message may go out, and what goes out under its key if it has not.
  public record Expiry(Instant at, String insteadKind, String insteadBody) {}

  /// A message that waits.
  ///
  /// @param attempts how often the broker refused it
  /// @param isInDoubt whether it may have gone out before
  public record Line(long pos, Message message, int attempts, boolean hasEnd, boolean isInDoubt) {

    boolean isExpiring() {
      return hasEnd && !isInDoubt;
    }
  }

  /// Where a message stands.
  ///
  /// @param isExpired whether it was not published in time, and never will be
  public record Standing(Status status, boolean isExpired, Instant createdAt) {}

  public enum Status {
    PENDING,
    PUBLISHED,
    FAILED
  }

  /// A message that was given up on.
  public record Dead(long pos, Message message, int attempts, String error, Instant at) {}

  /// An empty list has no type for PostgreSQL.
  private static final String NO_KIND = "";

  private static final String EXPIRED = "not published in time";

  private static final String PUT =
      """
      insert into bus_message (id, kind, key, body, trace, is_command, status, created_at,
        expires_at, compensation_kind, compensation_body)
      values (?, ?, ?, ?, ?, ?, 'PENDING', ?, cast(? as bigint), ?, ?)
      on conflict (id) do nothing
      """;

  private static final String AGAIN =
      """
       update set status = 'PENDING', dead = 0, attempts = 0, ended_at = null, sent_at = null,
        expires_at = null, compensation_kind = null, compensation_body = null
       where bus_message.status <> 'PENDING'
      """;

  private static final String PUT_AGAIN = PUT.replace("do nothing", "do" + AGAIN);

  private static final String COLUMNS =
      "select m.pos, m.id, m.kind, m.key, m.body, m.trace, m.is_command, m.attempts";

  private static final String TAKE =
      COLUMNS
          + """
          , m.expires_at, m.sent_at from bus_message m
           where m.status = 'PENDING' and (m.is_command = 1 or not (m.kind = any (?)))
             and (m.expires_at is null or m.sent_at is not null or m.expires_at > ?)
             and not exists (
                 select 1 from bus_message head
                  where head.key = m.key and head.status = 'PENDING' and head.retry_at > ?
                    and head.pos <= m.pos)
           order by m.pos limit ? for update
          """;

  private static final String SENDING = "update bus_message set sent_at = ? where pos = any (?)";

  private static final String NOT_SENT =
      """
      update bus_message set sent_at = null
       where pos = any (?) and sent_at = ? and status = 'PENDING'
      """;

  private static final String PUBLISHED =
      """
      update bus_message set status = 'PUBLISHED', ended_at = ?, retry_at = null, error = null
       where pos = any (?) and status = 'PENDING'
      """;

  private static final String POSTPONE =
      """
      update bus_message set attempts = attempts + 1, error = ?, retry_at = ?
       where pos = ? and status = 'PENDING'
      """;

  private static final String BURY =
      """
      update bus_message set status = 'FAILED', attempts = attempts + 1, error = ?, ended_at = ?,
        retry_at = null, dead = 1
       where pos = ? and status = 'PENDING'
      """;

  private static final String LATE_COLUMNS =
      """
      select pos, id, key, trace, compensation_kind, compensation_body from bus_message
       where status = 'PENDING' and expires_at <= ?
      """;

  private static final String LATE =
      LATE_COLUMNS + " and sent_at is null order by pos limit ? for update";

  private static final String LATE_ONE = LATE_COLUMNS + " and id = ? for update";

  private static final String FAIL =
      """
      update bus_message set status = 'FAILED', error = ?, ended_at = ?
       where pos = any (?) and status = 'PENDING'
      """;

  private static final String STANDING =
      "select status, error, created_at from bus_message where id = ? for update";

  private static final String PURGE =
      """
      delete from bus_message where pos in (
        select pos from bus_message where ended_at < ? and dead = 0 limit ?)
      """;

  private static final String DEAD =
      COLUMNS + ", m.error, m.ended_at from bus_message m where m.dead = 1 order by m.pos limit ?";

  private static final String REVIVE =
      """
      update bus_message set status = 'PENDING', dead = 0, attempts = 0, ended_at = null,
        expires_at = null, compensation_kind = null, compensation_body = null
       where pos = ? and dead = 1
      """;

  private static final String DISCARD =
      "update bus_message set dead = 0 where pos = ? and dead = 1";

  /// Puts a message into the book. Returns whether its id is new there.
  public boolean put(Session session, Message message, @Nullable Expiry expiry, Instant now)
      throws SQLException {
    return session.update(PUT, row(message, expiry, now).toArray()) == 1;
  }

  /// Puts a message into the book that may have gone out before; now it goes out again, without an
  /// end.
  public void putAgain(Session session, Message message, Instant now) throws SQLException {
    session.update(PUT_AGAIN, row(message, null, now).toArray());
  }

  /// Puts many; known ones are left as they are.
  public void putAll(Session session, List<Message> messages, Instant now) throws SQLException {
    session.updateEach(PUT, messages.stream().map(it -> row(it, null, now)).toList());
  }

  private static List<@Nullable Object> row(Message message, @Nullable Expiry expiry, Instant now) {
    return Arrays.asList(
        message.id(),
        message.kind(),
        message.key(),
        message.body(),
        message.headers().get(CloudEvent.TRACE),
        message.isCommand() ? 1 : 0,
        now,
        expiry == null ? null : expiry.at,
        expiry == null ? null : expiry.insteadKind,
        expiry == null ? null : expiry.insteadBody);
  }

  /// Nobody else decides about it until the transaction ends.
  public Optional<Standing> standing(Session session, String id) throws SQLException {
    return session.first(
        STANDING,
        row ->
            new Standing(
                Status.valueOf(row.getString(1)),
                EXPIRED.equals(row.getString(2)),
                Instant.ofEpochMilli(row.getLong(3))),
        id);
  }

  /// Whether anything may be waiting: cheaper than taking it.
  static boolean hasPending(Session session) throws SQLException {
    return session
        .first("select 1 from bus_message where status = 'PENDING' limit 1", row -> row.getInt(1))
        .isPresent();
  }

  /// The oldest messages that may go out now, in order. From here on those that expire do so no
  /// more, because the caller may be sending them; it says of which that is not true.
  ///
  /// @param not kinds whose events stay where they are
  List<Line> take(Session session, Instant now, Set<String> not, int limit) throws SQLException {
    var kinds = new ArrayList<>(not);
    kinds.add(NO_KIND);
    var lines = session.list(TAKE, MessageBook::line, kinds, now, now, limit);
    var ending = lines.stream().filter(Line::hasEnd).map(Line::pos).toList();
    if (!ending.isEmpty()) session.update(SENDING, now, ending);
    return lines;
  }

  /// These were taken at this time and certainly did not go out, so that they may expire, unless
  /// somebody else has taken them since.
  void notSent(Session session, Collection<Long> positions, Instant taken) throws SQLException {
    session.update(NOT_SENT, positions, taken);
  }

  int published(Session session, Collection<Long> positions, Instant now) throws SQLException {
    return positions.isEmpty() ? 0 : session.update(PUBLISHED, now, positions);
  }

  /// Those of its key that come later wait for it.
  void postpone(Session session, long pos, String error, Instant until) throws SQLException {
    session.update(POSTPONE, error, until, pos);
  }

  void bury(Session session, long pos, String error, Instant now) throws SQLException {
    session.update(BURY, error, now, pos);
  }

  /// Gives up messages whose time has passed and that nobody has begun to send, and puts what is to
  /// go out instead. Returns their ids.
  List<String> expire(Session session, Instant now, int limit) throws SQLException {
    return expire(session, session.list(LATE, MessageBook::late, now, limit), now);
  }

  /// The same for one, even if it may have gone out unconfirmed: for whoever alone wants its answer
  /// and will not use it any more. What goes out instead undoes it. Returns whether it has expired.
  public boolean expire(Session session, String id, Instant now) throws SQLException {
    return !expire(session, session.list(LATE_ONE, MessageBook::late, now, id), now).isEmpty();
  }

  private record Late(
      long pos,
      String id,
      String key,
      @Nullable String trace,
      @Nullable String insteadKind,
      @Nullable String insteadBody) {}

  private List<String> expire(Session session, List<Late> late, Instant now) throws SQLException {
    if (late.isEmpty()) return List.of();
    session.update(FAIL, EXPIRED, now, late.stream().map(Late::pos).toList());
    var ids = new ArrayList<String>();
    for (var one : late) {
      ids.add(one.id);
      if (one.insteadKind == null || one.insteadBody == null) continue;
      put(session, instead(one, one.insteadKind, one.insteadBody), null, now);
    }
    return ids;
  }

  private static Message instead(Late late, String kind, String body) {
    return new Message(insteadOf(late.id), kind, late.key, body, traced(late.trace), true);
  }

  /// The id of what goes out instead of a message.
  public static String insteadOf(String id) {
    return id + "/instead";
  }

  /// Forgets what was published or expired before.
  int purge(Session session, Instant before, int limit) throws SQLException {
    return session.update(PURGE, before, limit);
  }

  public long waiting(Session session) throws SQLException {
    return session
        .first("select count(*) from bus_message where status = 'PENDING'", row -> row.getLong(1))
        .orElse(0L);
  }

  public List<Dead> dead(Session session, int limit) throws SQLException {
    return session.list(
        DEAD,
        row ->
            new Dead(
                row.getLong(1),
                message(row),
                row.getInt(8),
                String.valueOf(row.getString(9)),
                Instant.ofEpochMilli(row.getLong(10))),
        limit);
  }

  /// Lets a message that was given up on go out after all. False when there is none.
  public boolean revive(Session session, long pos) throws SQLException {
    return session.update(REVIVE, pos) == 1;
  }

  public boolean discard(Session session, long pos) throws SQLException {
    return session.update(DISCARD, pos) == 1;
  }

  private static Line line(ResultSet row) throws SQLException {
    return new Line(
        row.getLong(1),
        message(row),
        row.getInt(8),
        Session.time(row, 9) != null,
        Session.time(row, 10) != null);
  }

  private static Message message(ResultSet row) throws SQLException {
    return new Message(
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        traced(row.getString(6)),
        row.getInt(7) == 1);
  }

  private static Late late(ResultSet row) throws SQLException {
    return new Late(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6));
  }

  private static Map<String, String> traced(@Nullable String trace) {
    return trace == null ? Map.of() : Map.of(CloudEvent.TRACE, trace);
  }
}
