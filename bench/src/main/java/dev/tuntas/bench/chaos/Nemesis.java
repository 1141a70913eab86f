package dev.tuntas.bench.chaos;

import dev.tuntas.bench.Latencies;
import dev.tuntas.bench.server.ServerProcess;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Kills the server without a warning, two to five seconds after it came up, and starts it again;
/// now and then already while it starts.
final class Nemesis implements Trouble, AutoCloseable {

  private static final Duration START_WITHIN = Duration.ofMinutes(2);
  private static final int LIFE_MILLIS_MIN = 2_000;
  private static final int LIFE_MILLIS_MAX = 5_000;
  private static final int EARLY_PERCENT = 10;
  private static final int EARLY_MILLIS_MAX = 3_000;

  private final ChaosSettings settings;
  private final RandomGenerator random;
  private final Latencies starts = new Latencies();
  private volatile @Nullable URI address;
  private @Nullable ServerProcess server;
  private int kills;

  Nemesis(ChaosSettings settings) {
    this.settings = settings;
    this.random = new SplittableRandom(settings.seed());
  }

  /// Where the server is, unless it is down as far as we know.
  Optional<URI> address() {
    return Optional.ofNullable(address);
  }

  /// Starts a server and waits for it.
  URI start() throws InterruptedException {
    var started = launch();
    var at = started.await(START_WITHIN);
    starts.add(started.startTime().toNanos());
    address = at;
    return at;
  }

  private ServerProcess launch() {
    var started = ServerProcess.start(settings.program(), settings.output(), settings.arguments());
    server = started;
    return started;
  }

  /// Kills and starts until the time is over. Afterwards it runs.
  @Override
  public void rage(long until) throws InterruptedException {
    while (System.nanoTime() < until) {
      Thread.sleep(random.nextInt(LIFE_MILLIS_MIN, LIFE_MILLIS_MAX + 1));
      if (System.nanoTime() >= until) return;
      kill();
      if (random.nextInt(100) < EARLY_PERCENT) {
        launch();
        Thread.sleep(random.nextInt(EARLY_MILLIS_MAX));
        kill();
      }
      start();
    }
  }

  private void kill() throws InterruptedException {
    address = null;
    if (server == null) return;
    server.kill();
    kills++;
  }

  /// Asks the server to end. True if it did so in order.
  boolean stop() throws InterruptedException {
    address = null;
    return server != null && server.stop();
  }

  int kills() {
    return kills;
  }

  Latencies starts() {
    return starts;
  }

  @Override
  public void close() {
    if (server != null) server.close();
  }
}
