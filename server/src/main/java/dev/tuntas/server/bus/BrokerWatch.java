package dev.tuntas.server.bus;

import dev.tuntas.bus.Bus;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.server.rounds.Rounds;
import java.time.Duration;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/// Asks now and then whether the broker is there. Orders go on without it, so that its absence is a
/// weakness and no illness.
final class BrokerWatch implements HealthIndicator, AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(BrokerWatch.class);
  private static final Status DEGRADED = new Status("DEGRADED");
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final Bus bus;
  private final Set<String> kinds;
  private final Rounds rounds;
  private volatile boolean away;

  /// @param kinds of messages that are to find their way from the beginning
  BrokerWatch(Bus bus, Set<String> kinds) {
    this.bus = bus;
    this.kinds = kinds;
    this.rounds = new Rounds("broker-watch", EVERY, this::look);
  }

  private boolean look() {
    try {
      bus.prepare(kinds); // what was missing may be there now
      bus.ping();
      if (away) log.info("The broker is back");
      away = false;
    } catch (BusAwayException e) {
      if (!away) log.warn("The broker is away: {}", e.getMessage());
      away = true;
    }
    return false;
  }

  @Override
  public Health health() {
    return away
        ? Health.status(DEGRADED)
            .withDetail("broker", "away; messages wait in the database")
            .build()
        : Health.up().build();
  }

  @Override
  public void close() throws InterruptedException {
    rounds.close();
  }
}
