package dev.tuntas.server.bus;

import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.MessageRelay;
import dev.tuntas.bus.Once;
import dev.tuntas.bus.TimeoutWorker;
import dev.tuntas.engine.StoreException;
import dev.tuntas.inventory.StockReplies;
import dev.tuntas.server.rounds.Rounds;
import dev.tuntas.store.Tables;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Carries messages to the broker, looks for those that are late, and forgets what is old.
final class BusRounds implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(BusRounds.class);
  private static final Duration RELAY_EVERY = Duration.ofMillis(50);
  private static final Duration TIDY_EVERY = Duration.ofMinutes(1);

  private final MessageRelay relay;
  private final Tables tables;
  private final InstantSource clock;
  private final Rounds relaying;
  private final Rounds timeouts;
  private final Rounds tidying;
  private boolean away;

  BusRounds(
      MessageRelay relay,
      TimeoutWorker worker,
      Duration timeoutsEvery,
      Tables tables,
      InstantSource clock) {
    this.relay = relay;
    this.tables = tables;
    this.clock = clock;
    this.relaying = new Rounds("bus-relay", RELAY_EVERY, this::carry);
    this.timeouts =
        new Rounds("timeout-worker", timeoutsEvery, () -> worker.expire() == TimeoutWorker.BATCH);
    this.tidying = new Rounds("bus-tidy", TIDY_EVERY, this::tidy);
  }

  private boolean carry() {
    try {
      boolean more = relay.relay() > 0;
      if (more && away) log.info("Messages go out again");
      if (more) away = false;
      return more;
    } catch (BusAwayException e) {
      if (!away) log.warn("Messages wait for the broker: {}", e.getMessage());
      away = true;
      return false;
    }
  }

  private boolean tidy() {
    boolean more = relay.purge();
    more |= Once.purge(tables, clock);
    more |= StockReplies.purge(tables, clock);
    return more;
  }

  @Override
  public void close() throws InterruptedException {
    tidying.close();
    timeouts.close();
    relaying.close();
    try {
      relay.close();
    } catch (StoreException e) {
      log.info("The next relay has to wait a moment: {}", e.getMessage());
    }
  }
}
