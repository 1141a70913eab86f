package dev.tuntas.store;

import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Notices in a table, in the order of their positions. There is no high-water mark: a slow
/// transaction that holds a lower position is not skipped.
final class JdbcOutbox implements Outbox {

  private static final Logger log = LoggerFactory.getLogger(JdbcOutbox.class);

  private static final String COLUMNS =
      "o.pos, o.saga_id, o.version, o.seq, o.type, o.body, o.at, o.attempts";

  private static final String NEXT =
      "select "
          + COLUMNS
          + """
             from tuntas_outbox o
           where not exists (
                 select 1 from tuntas_outbox head
                  where head.saga_id = o.saga_id and head.retry_at > ? and head.pos <= o.pos)
           order by o.pos limit ?
          """;

  private static final String PUBLISHED = "delete from tuntas_outbox where pos = any (?)";

  private static final String PUBLISHED_RUN = "delete from tuntas_outbox where pos between ? and ?";

  /// On PostgreSQL.
  private static final String PUBLISHED_AND_FREE =
      """
      delete from tuntas_outbox where pos in (
        select pos from tuntas_outbox where pos = any (?) for update skip locked)
      """;

  /// PostgreSQL keeps the index entries of what was deleted until it tidies up, once a minute at
  /// most, and whoever looks for the first notice steps over all of them.
  private static final String TIDY_UP =
      "vacuum (index_cleanup on, truncate off, skip_locked) tuntas_outbox";

  private static final int UNTIDY = 20_000;

  private static final String FAILED =
      """
      update tuntas_outbox set attempts = attempts + 1, error = ?, retry_at = ?
       where pos = ? and not dead
      """;

  private static final String POSTPONE =
      "update tuntas_outbox set error = ?, retry_at = ? where pos = ? and not dead";

  /// A dead letter waits for ever, unless somebody revives it.
  private static final String BURY =
      """
      update tuntas_outbox set error = ?, dead = true, retry_at = 9223372036854775807
       where pos = ? and not dead
      """;

  private static final String DEAD =
      "select "
          + COLUMNS
          + ", o.error from tuntas_outbox o where o.retry_at is not null and o.dead"
          + " order by o.pos limit ?";

  private static final String REVIVE =
      """
      update tuntas_outbox set attempts = 0, error = null, retry_at = null, dead = false
       where pos = ? and dead
      """;

  private static final String DISCARD = "delete from tuntas_outbox where pos = ? and dead";

  private static final String WAITING =
      "select count(*), min(at) from tuntas_outbox where not dead";

  private static final String DEAD_COUNT =
      "select count(*) from tuntas_outbox where retry_at is not null and dead";

  private final Database database;

  /// How many were forgotten since the last tidying up.
  private final AtomicInteger forgotten = new AtomicInteger();

  JdbcOutbox(Database database) {
    this.database = database;
  }

  @Override
  public List<Entry> next(Instant now, int limit) {
    return database.read(
        "read the outbox", session -> session.list(NEXT, JdbcOutbox::entry, now, limit));
  }

  @Override
  public void published(Collection<Long> positions) {
    if (positions.isEmpty()) return;
    try {
      database.write("forget published notices", session -> forget(session, positions));
    } catch (StoreException e) {
      if (e.kind() != Kind.BLOCKED || database.dialect() != Dialect.POSTGRES) throw e;
      forgetFree(positions);
    }
    if (forgotten.addAndGet(positions.size()) >= UNTIDY) tidyUp();
  }

  /// Those that somebody else has locked are told again. Should they keep the others with them,
  /// there would soon be no room for new ones in what is read at a time.
  private void forgetFree(Collection<Long> positions) {
    database.write(
        "forget published notices that nobody has locked",
        session -> session.update(PUBLISHED_AND_FREE, positions));
  }

  /// What it cannot do now is done later: the notices are forgotten, and must not seem to be there.
  private void tidyUp() {
    forgotten.set(0);
    if (database.dialect() != Dialect.POSTGRES) return;
    try {
      database.write("tidy up the outbox", session -> session.update(TIDY_UP));
    } catch (StoreException e) {
      log.debug("the outbox was not tidied up: {}", e.toString());
    }
  }

  /// Mostly they are neighbours, and a run of those is found at once.
  private static int forget(Session session, Collection<Long> positions) throws SQLException {
    var sorted = new TreeSet<>(positions);
    boolean isRun = sorted.last() - sorted.first() + 1 == sorted.size();
    return isRun
        ? session.update(PUBLISHED_RUN, sorted.first(), sorted.last())
        : session.update(PUBLISHED, sorted);
  }

  @Override
  public void failed(long pos, String error, Instant retryAt) {
    database.write(
        "note the failure of notice " + pos,
        session -> session.update(FAILED, error, retryAt, pos));
  }

  @Override
  public void postpone(long pos, String error, Instant retryAt) {
    database.write(
        "postpone notice " + pos, session -> session.update(POSTPONE, error, retryAt, pos));
  }

  @Override
  public void bury(long pos, String error) {
    database.write("bury notice " + pos, session -> session.update(BURY, error, pos));
  }

  @Override
  public List<DeadLetter> deadLetters(int limit) {
    return database.read(
        "read dead letters",
        session -> session.list(DEAD, row -> new DeadLetter(entry(row), row.getString(9)), limit));
  }

  @Override
  public boolean revive(long pos) {
    return database.write("revive notice " + pos, session -> session.update(REVIVE, pos) == 1);
  }

  @Override
  public boolean discard(long pos) {
    return database.write("discard notice " + pos, session -> session.update(DISCARD, pos) == 1);
  }

  @Override
  public Lag lag() {
    return database.read(
        "measure the outbox",
        session -> {
          long dead = session.first(DEAD_COUNT, row -> row.getLong(1)).orElse(0L);
          return session.first(WAITING, row -> lag(row, dead)).orElseThrow();
        });
  }

  private static Lag lag(ResultSet row, long dead) throws SQLException {
    return new Lag(row.getLong(1), dead, Session.time(row, 2));
  }

  private static Entry entry(ResultSet row) throws SQLException {
    return new Entry(
        row.getLong(1),
        row.getString(2),
        row.getLong(3),
        row.getInt(4),
        row.getString(5),
        row.getString(6),
        Instant.ofEpochMilli(row.getLong(7)),
        row.getInt(8));
  }
}
