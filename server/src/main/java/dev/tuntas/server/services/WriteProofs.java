package dev.tuntas.server.services;

import dev.tuntas.server.rounds.Rounds;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/// Writes to the database of each service that runs here, every second, as the service itself does.
/// Where that does not succeed for seconds, this process is not ready.
final class WriteProofs implements HealthIndicator, AutoCloseable {

  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration FRESH = Duration.ofMillis(4_500);

  /// When each was last written to, as [System#nanoTime].
  private final Map<String, AtomicLong> written = new TreeMap<>();

  private final List<Rounds> rounds = new ArrayList<>();

  WriteProofs(Map<String, Tables> services) {
    services.forEach(
        (name, tables) -> {
          var last = new AtomicLong(System.nanoTime());
          written.put(name, last);
          rounds.add(new Rounds("writing to " + name, EVERY, () -> prove(tables, last)));
        });
  }

  private static boolean prove(Tables tables, AtomicLong last) {
    tables.prove();
    last.set(System.nanoTime());
    return false;
  }

  @Override
  public Health health() {
    long now = System.nanoTime();
    var health = Health.up();
    written.forEach(
        (name, last) -> {
          long span = now - last.get();
          if (span < FRESH.toNanos()) return;
          health.down().withDetail(name, "not written for " + span / 1_000_000_000 + " s");
        });
    return health.build();
  }

  @Override
  public void close() throws InterruptedException {
    for (var round : rounds) round.close();
  }
}
