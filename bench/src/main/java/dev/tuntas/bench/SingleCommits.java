package dev.tuntas.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// The reference: how many one-row inserts can be committed, each on its own.
final class SingleCommits {

  static final String NAME = "single-row commits";

  private final Connector connector;
  private final int connections;

  SingleCommits(Connector connector, int connections) throws SQLException {
    this.connector = connector;
    this.connections = connections;
    connector.run("create table single_commit (id text not null, amount bigint not null)");
  }

  /// Commits per second.
  double measure(Duration warmUp, Duration span) throws InterruptedException, SQLException {
    commit(warmUp);
    return commit(span) / (span.toNanos() / 1e9);
  }

  private long commit(Duration span) throws InterruptedException, SQLException {
    var open = new ArrayList<Connection>();
    try (var threads = Executors.newFixedThreadPool(connections)) {
      for (int i = 0; i < connections; i++) open.add(connector.connect());
      long end = System.nanoTime() + span.toNanos();
      var counts = new ArrayList<Future<Long>>();
      for (var connection : open) counts.add(threads.submit(() -> insertUntil(connection, end)));
      long sum = 0;
      for (var count : counts) sum += count.get();
      return sum;
    } catch (ExecutionException e) {
      throw new BenchException("single commits failed: " + e.getCause(), e);
    } finally {
      for (var connection : open) connection.close();
    }
  }

  private static long insertUntil(Connection connection, long end) throws SQLException {
    long commits = 0;
    try (var insert =
        connection.prepareStatement("insert into single_commit (id, amount) values (?, ?)")) {
      while (System.nanoTime() < end) {
        insert.setString(1, "ord-104217");
        insert.setLong(2, commits);
        insert.executeUpdate();
        commits += 1;
      }
    }
    return commits;
  }
}
