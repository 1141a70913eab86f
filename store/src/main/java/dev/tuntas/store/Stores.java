package dev.tuntas.store;

import dev.tuntas.engine.ConsumerInbox;
import dev.tuntas.engine.HistoryLine;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaStore;
import dev.tuntas.saga.Signal;
import dev.tuntas.store.Nodes.StoreTime;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// All that the engine keeps in one database. Opening one refuses, with a sentence and before
/// anything is touched, a database that is damaged, newer than the program, or not ours.
public final class Stores implements AutoCloseable {

  /// Lane by lane, as the index lies.
  private static final String DUE =
      """
      select count(*) from tuntas_lane lane
        join tuntas_saga saga on saga.lane = lane.id and saga.due_at <= ?
      """;

  private static final String OLDEST_DUE =
      """
      select oldest from (
        select (select min(saga.due_at) from tuntas_saga saga
                 where saga.lane = lane.id and saga.due_at <= ?) as oldest
          from tuntas_lane lane) of_lane
       where oldest is not null order by oldest limit 1
      """;

  private static final String ASKING =
      """
      select
        (select count(*) from tuntas_lane lane
           join tuntas_saga saga on saga.lane = lane.id and saga.due_at > 0
          where saga.progress like ?)
      + (select count(*) from tuntas_saga where owner > 0 and progress like ?)
      """;

  private final Database database;
  private final JdbcSagaStore sagas;
  private final JdbcOutbox outbox;
  private final JdbcConsumerInbox consumers;

  private Stores(Database database, Batches batches, Nodes nodes) {
    this.database = database;
    this.sagas = new JdbcSagaStore(database, batches, nodes);
    this.outbox = new JdbcOutbox(database);
    this.consumers = new JdbcConsumerInbox(database);
  }

  /// SQLite in a folder of its own, for one process. The clock is the store's time.
  public static Stores sqlite(Path folder, InstantSource clock) {
    var database = SqliteDatabase.open(folder);
    try {
      var nodes = new Nodes(database, StoreTime.of(clock));
      nodes.buryEarlier();
      return new Stores(database, new SqliteBatches(), nodes);
    } catch (RuntimeException e) {
      database.close();
      throw e;
    }
  }

  /// PostgreSQL 15 or later, for any number of processes. The server's clock is the store's time.
  public static Stores postgres(PostgresSettings settings) {
    var database = PostgresDatabase.open(settings);
    return new Stores(database, new PostgresBatches(), new Nodes(database, StoreTime.ofServer()));
  }

  public SagaStore sagas() {
    return sagas;
  }

  public Outbox outbox() {
    return outbox;
  }

  public ConsumerInbox consumers() {
    return consumers;
  }

  /// How many sagas are due and taken up by nobody yet.
  public long queueDepth(Instant now) {
    return database.read(
        "count what is due", session -> session.first(DUE, row -> row.getLong(1), now).orElse(0L));
  }

  /// Since when the longest overdue saga has been due and taken up by nobody.
  public Optional<Instant> oldestDue(Instant now) {
    return database.read(
        "look for the longest overdue",
        session -> session.first(OLDEST_DUE, row -> Instant.ofEpochMilli(row.getLong(1)), now));
  }

  /// How many sagas wait at this step to be told or to ask. Looks at all that have not ended.
  public long asking(String step) {
    var there = "at=asking step=" + step + " %";
    return database.read(
        "count sagas that ask",
        session -> session.first(ASKING, row -> row.getLong(1), there, there).orElse(0L));
  }

  /// Whether a new connection could write now: then whoever cannot write has only itself in its
  /// way.
  public boolean canWriteAnew() {
    return database.canWriteAnew();
  }

  /// How the log fares that SQLite keeps beside its file; empty on PostgreSQL.
  public Optional<LogState> log() {
    return database.log();
  }

  /// Tables of the application in the same database, so that a transaction may hold both: their
  /// names begin with the set's. They are closed with the store.
  public Tables tables(TableSet set) {
    database.migrate(Schema.Wanted.beside(set));
    return new DatabaseTables(database, () -> {});
  }

  /// Rows that are written together with new sagas from now on.
  public void accompany(Companions companions) {
    sagas.accompany(companions);
  }

  /// A saga as a transaction of [#tables] sees it.
  public Optional<SagaRow> find(Session session, String sagaId) throws SQLException {
    return Archive.find(session, sagaId);
  }

  /// What happened to a saga, as a transaction of [#tables] sees it.
  public List<HistoryLine> history(Session session, String sagaId) throws SQLException {
    return Archive.history(session, sagaId);
  }

  /// Tells a saga something in a transaction of [#tables]: both are committed, or neither. The saga
  /// is woken by the engine's next look at the store.
  public SagaStore.Put say(Session session, String sagaId, Signal signal, Instant at)
      throws SQLException {
    return Inbox.put(session, sagaId, signal, at);
  }

  @Override
  public void close() {
    sagas.close();
  }
}
