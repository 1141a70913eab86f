package dev.tuntas.bench.chaos;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Workers that fell, by death or by sleep, each with what it owned at that moment: how long until
/// others owned it.
final class Falls {

  /// One of them.
  ///
  /// @param nodes its numbers in the store
  /// @param owned the sagas it ran
  private record Fall(Instant at, List<Integer> nodes, List<String> owned) {}

  /// What was seen of a fall.
  ///
  /// @param takenOverAfter when the last of its sagas had another owner; null if that took too long
  /// @param fair whether there was somebody all the time who could take over
  private record Seen(Fall fall, @Nullable Duration takenOverAfter, boolean fair) {}

  /// What the server has received when its client is stopped is still carried out.
  private static final Duration DUST = Duration.ofMillis(300);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String NODES =
      "select id from tuntas_node where name like ? || '@%' and not dead";
  private static final String OWNED = "select id from tuntas_saga where owner = any (?)";
  private static final String ALIVE =
      "select count(*) from tuntas_node where id = any (?) and not dead";
  private static final String STILL_OWNED =
      "select count(*) from tuntas_saga where id = any (?) and owner = any (?)";
  private static final String WENT_ON =
      "select min(at) from tuntas_story where saga_id = any (?) and node <> all (?) and at >= ?";

  private final String database;
  private final List<Seen> seen = new ArrayList<>();

  Falls(String database) {
    this.database = database;
  }

  /// Looks at one that just fell, until others own what it owned. Nothing is seen of it if the
  /// database could not be asked meanwhile, or if it stood up before anybody took it for dead: then
  /// it goes on with what it owns.
  ///
  /// @param othersWereWell asked in the end: else nobody was there to take over
  void watch(long pid, Instant at, BooleanSupplier othersWereWell) throws InterruptedException {
    Thread.sleep(DUST);
    try (var connection = DriverManager.getConnection(database)) {
      var nodes = nodes(connection, pid);
      var fall = new Fall(at, nodes, owned(connection, nodes));
      if (fall.owned.isEmpty()) return;
      var after = untilTakenOver(connection, fall);
      if (ProcessHandle.of(pid).isPresent() && alive(connection, nodes) > 0) return;
      add(new Seen(fall, after, othersWereWell.getAsBoolean()));
    } catch (SQLException _) {
      // the database fell, too
    }
  }

  /// How many sagas a process runs now; none if the database cannot be asked.
  int running(long pid) {
    try (var connection = DriverManager.getConnection(database)) {
      return owned(connection, nodes(connection, pid)).size();
    } catch (SQLException _) {
      return 0;
    }
  }

  /// How many were seen during which somebody could take over all the time.
  synchronized long timed() {
    return seen.stream().filter(Seen::fair).count();
  }

  private synchronized void add(Seen one) {
    seen.add(one);
  }

  private static List<Integer> nodes(Connection connection, long pid) throws SQLException {
    try (var query = connection.prepareStatement(NODES)) {
      query.setString(1, Long.toString(pid));
      var found = new ArrayList<Integer>();
      try (var rows = query.executeQuery()) {
        while (rows.next()) found.add(rows.getInt(1));
      }
      return found;
    }
  }

  private static List<String> owned(Connection connection, List<Integer> nodes)
      throws SQLException {
    try (var query = connection.prepareStatement(OWNED)) {
      query.setArray(1, connection.createArrayOf("int4", nodes.toArray()));
      var found = new ArrayList<String>();
      try (var rows = query.executeQuery()) {
        while (rows.next()) found.add(rows.getString(1));
      }
      return found;
    }
  }

  private static long alive(Connection connection, List<Integer> nodes) throws SQLException {
    try (var query = connection.prepareStatement(ALIVE)) {
      query.setArray(1, connection.createArrayOf("int4", nodes.toArray()));
      try (var row = query.executeQuery()) {
        return row.next() ? row.getLong(1) : 0;
      }
    }
  }

  private static @Nullable Duration untilTakenOver(Connection connection, Fall fall)
      throws SQLException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    try (var query = connection.prepareStatement(STILL_OWNED)) {
      query.setArray(1, connection.createArrayOf("text", fall.owned.toArray()));
      query.setArray(2, connection.createArrayOf("int4", fall.nodes.toArray()));
      while (System.nanoTime() < end) {
        try (var row = query.executeQuery()) {
          if (row.next() && row.getLong(1) == 0) return Duration.between(fall.at, Instant.now());
        }
        Thread.sleep(LOOK_AGAIN);
      }
    }
    return null;
  }

  /// What came of all of them.
  ///
  /// @param falls those that were seen to own something
  /// @param timed those of them during which somebody could take over all the time
  /// @param slow those of these whose sagas had no other owner after half a minute
  /// @param takeOverSecondsMax how long it took until others owned all that one had owned
  /// @param wentOnSecondsMax how long it took until the first of these moved
  record Figures(
      int falls, int timed, int slow, double takeOverSecondsMax, double wentOnSecondsMax) {}

  synchronized Figures figures() throws SQLException {
    double takeOver = 0;
    double wentOn = 0;
    int timed = 0;
    int slow = 0;
    try (var connection = DriverManager.getConnection(database)) {
      for (var one : seen) {
        if (!one.fair) continue;
        timed++;
        var after = one.takenOverAfter;
        if (after == null) slow++;
        else takeOver = Math.max(takeOver, after.toMillis() / 1e3);
        wentOn = Math.max(wentOn, wentOn(connection, one.fall));
      }
    }
    return new Figures(seen.size(), timed, slow, takeOver, wentOn);
  }

  private static double wentOn(Connection connection, Fall fall) throws SQLException {
    try (var query = connection.prepareStatement(WENT_ON)) {
      query.setArray(1, connection.createArrayOf("text", fall.owned.toArray()));
      query.setArray(2, connection.createArrayOf("int4", fall.nodes.toArray()));
      query.setLong(3, fall.at.toEpochMilli());
      try (var row = query.executeQuery()) {
        if (!row.next()) return 0;
        long at = row.getLong(1);
        return row.wasNull() ? 0 : (at - fall.at.toEpochMilli()) / 1e3;
      }
    }
  }
}
