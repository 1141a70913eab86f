package dev.tuntas.bench.chaos;

import dev.tuntas.bench.BenchException;
import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Session;
import dev.tuntas.store.Snapshot;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Waits until nothing is on its way any more: no notice, no message to people or over the bus, no
/// saga that somebody runs.
public final class Quiet {

  private static final Duration LOOK_AGAIN = Duration.ofMillis(250);

  private static final List<String> ON_THEIR_WAY =
      List.of(
          "select count(*) from tuntas_outbox where not dead",
          "select count(*) from support_delivery where next_attempt_at is not null",
          "select count(*) from tuntas_saga where status = 'R'");

  private interface Look {
    boolean isQuiet() throws SQLException;
  }

  private final Look look;

  private Quiet(Look look) {
    this.look = look;
  }

  /// Of a server with its data in this folder, which has no bus.
  public static Quiet in(Path data) {
    return new Quiet(() -> isQuiet(Snapshot.ofSagas(data.resolve("orders"))));
  }

  /// Of servers on this database.
  public static Quiet at(String database) {
    var settings = PostgresSettings.of(database, null, null);
    return new Quiet(
        () -> isQuiet(Snapshot.ofSagas(settings)) && BusBook.in(database).pending() == 0);
  }

  /// True if there is nothing left.
  public boolean await(Duration atMost) throws InterruptedException, SQLException {
    long end = System.nanoTime() + atMost.toNanos();
    while (!look.isQuiet()) {
      if (System.nanoTime() > end) return false;
      Thread.sleep(LOOK_AGAIN);
    }
    return true;
  }

  private static boolean isQuiet(Optional<Snapshot> tables) {
    try (var now = tables.orElseThrow(() -> new BenchException("the server has no tables"))) {
      return now.read("look what is on its way", Quiet::isQuiet);
    }
  }

  private static boolean isQuiet(Session session) throws SQLException {
    for (var query : ON_THEIR_WAY) {
      if (session.first(query, row -> row.getLong(1)).orElse(0L) > 0) return false;
    }
    return true;
  }
}
