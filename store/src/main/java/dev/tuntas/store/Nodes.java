package dev.tuntas.store;

import dev.tuntas.engine.SagaStore.Offset;
import dev.tuntas.engine.SagaStore.Peer;
import dev.tuntas.engine.SagaStore.Reading;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// The processes that share the store, by their beats.
final class Nodes {

  private static final String JOIN = "insert into tuntas_node (name) values (?) returning id";

  private static final String BEAT =
      "update tuntas_node set beat = beat + 1 where id = ? and not dead";

  private static final String LIVING =
      "select id, beat from tuntas_node where not dead order by id";

  private static final String SERVER_TIME =
      "select (extract(epoch from clock_timestamp()) * 1000)::bigint";

  private static final String DECLARE_DEAD =
      "update tuntas_node set dead = true where id = ? and beat = ? and not dead";

  private static final String TELL =
      """
      insert into tuntas_clock (id, ahead, at) values (1, ?, ?)
      on conflict (id) do update set ahead = excluded.ahead, at = excluded.at
      """;

  private static final String OFFSET = "select ahead, at from tuntas_clock";

  private static final String LEAVE = "update tuntas_node set dead = true where id = ?";

  /// What time it is for all who share the store.
  @FunctionalInterface
  interface StoreTime {
    Instant now(Session session) throws SQLException;

    static StoreTime of(InstantSource clock) {
      return _ -> clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    static StoreTime ofServer() {
      return session ->
          session.first(SERVER_TIME, row -> Instant.ofEpochMilli(row.getLong(1))).orElseThrow();
    }
  }

  private final Database database;
  private final StoreTime time;

  Nodes(Database database, StoreTime time) {
    this.database = database;
    this.time = time;
  }

  int join(String name) {
    return database.write(
        "join as " + name,
        session -> session.first(JOIN, row -> row.getInt(1), name).orElseThrow());
  }

  Reading beat(int node) {
    return database.beat(
        "beat of node " + node,
        session -> {
          boolean alive = session.update(BEAT, node) == 1;
          return new Reading(alive, time.now(session), living(session));
        });
  }

  private static List<Peer> living(Session session) throws SQLException {
    return session.list(LIVING, row -> new Peer(row.getInt(1), row.getLong(2)));
  }

  void tell(Offset offset) {
    database.beat(
        "tell how far time is from the clock",
        session -> session.update(TELL, offset.by().toMillis(), offset.at()));
  }

  Optional<Offset> offset() {
    return database.read("ask how far time is from the clock", Nodes::offset);
  }

  private static Optional<Offset> offset(Session session) throws SQLException {
    return session.first(
        OFFSET,
        row -> new Offset(Duration.ofMillis(row.getLong(1)), Instant.ofEpochMilli(row.getLong(2))));
  }

  boolean declareDead(int node, long beatSeen) {
    return database.write(
        "declare node " + node + " dead",
        session -> session.update(DECLARE_DEAD, node, beatSeen) == 1);
  }

  void leave(int node) {
    database.write("leave as node " + node, session -> session.update(LEAVE, node));
  }

  /// For a database that only one process can have open: whoever was there before is gone.
  void buryEarlier() {
    database.write(
        "end the nodes of earlier processes",
        session -> session.update("update tuntas_node set dead = true where not dead"));
  }
}
