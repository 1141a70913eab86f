package dev.tuntas.bench.cluster;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.PostgresServer;
import dev.tuntas.bench.Progress;
import dev.tuntas.engine.EngineSettings;
import dev.tuntas.engine.EngineSetup;
import dev.tuntas.engine.Publisher;
import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.store.PostgresSettings;
import dev.tuntas.store.Stores;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Lets one worker and then more of them work at the same backlog.
final class WorkersRun {

  /// @param inFlight sagas that each worker runs at once
  record Wanted(int workers, int inFlight, Duration call, Duration span) {

    /// What this many could end at most, if only the partners took time.
    double perSecondMax(int count) {
      return count * inFlight * 1e3 / (SlowSaga.STEPS * call.toMillis());
    }
  }

  /// @param perSecond sagas that ended per second
  record Rate(int workers, double perSecond) {}

  private static final Duration WARM_UP = Duration.ofSeconds(8);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(30);
  private static final double SPARE = 1.5;
  private static final int ACCEPTED_AT_ONCE = 2_000;
  private static final String ENDED = "select count(*) from tuntas_saga where status = 'D'";
  private static final String WAITING = "select count(*) from tuntas_saga where status = 'W'";

  private final PostgresServer postgres;
  private final Path output;
  private final Wanted wanted;
  private final Progress progress;
  private long accepted;

  WorkersRun(PostgresServer postgres, Path output, Wanted wanted, Progress progress) {
    this.postgres = postgres;
    this.output = output;
    this.wanted = wanted;
    this.progress = progress;
  }

  List<Rate> measure() throws IOException, SQLException, InterruptedException {
    var rates = new ArrayList<Rate>();
    for (int workers = 1; workers <= wanted.workers; workers++) rates.add(measure(workers));
    return rates;
  }

  private Rate measure(int workers) throws IOException, SQLException, InterruptedException {
    fill(workers);
    var running = new ArrayList<Process>();
    try {
      progress.phase(workers + " workers: warming up");
      for (int no = 0; no < workers; no++) running.add(launch());
      Thread.sleep(WARM_UP);
      progress.phase(workers + " workers: measuring");
      long before = count(ENDED);
      long began = System.nanoTime();
      Thread.sleep(wanted.span);
      long ended = count(ENDED) - before;
      double seconds = (System.nanoTime() - began) / 1e9;
      requireBacklog();
      var rate = new Rate(workers, ended / seconds);
      progress.say(workers + " workers: " + Math.round(rate.perSecond) + " ended per second");
      return rate;
    } finally {
      for (var worker : running) worker.getOutputStream().close();
      for (var worker : running) {
        if (!worker.waitFor(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
          worker.destroyForcibly();
        }
      }
    }
  }

  /// Somebody who accepts and hardly runs any: the others wait in the store.
  private void fill(int workers) throws SQLException, InterruptedException {
    double seconds = WARM_UP.plus(wanted.span).toMillis() / 1e3;
    long enough = Math.round(SPARE * wanted.perSecondMax(workers) * seconds) + wanted.inFlight;
    long missing = enough - (accepted == 0 ? 0 : count(WAITING));
    var saga = SlowSaga.of(wanted.call);
    try (var stores = Stores.postgres(settings());
        var engine =
            EngineSetup.on(stores.sagas(), stores.outbox(), new JacksonDataCodec())
                .define(saga)
                .settings(EngineSettings.standard().running(1))
                .publishTo(Publisher.NOWHERE)
                .open()) {
      var places = new Semaphore(ACCEPTED_AT_ONCE);
      var starts = new ArrayList<CompletableFuture<Boolean>>();
      for (long i = 0; i < missing; i++) {
        places.acquire();
        var start = engine.startAsync(saga, "slow-" + ++accepted, new SlowSaga.Parcel("fragile"));
        starts.add(start.whenComplete((_, _) -> places.release()));
        if (i % 1_000 == 0) progress.phase("accepting " + i + " of " + missing + " sagas");
      }
      starts.forEach(CompletableFuture::join);
    }
  }

  private Process launch() throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            SlowWorker.class.getName(),
            postgres.url(),
            postgres.user(),
            Integer.toString(wanted.inFlight),
            Long.toString(wanted.call.toMillis()))
        .redirectErrorStream(true)
        .redirectOutput(Redirect.appendTo(output.toFile()))
        .start();
  }

  /// Whoever ran out of work was not measured.
  private void requireBacklog() throws SQLException {
    if (count(WAITING) == 0)
      throw new BenchException("the workers ran out of sagas: see " + output);
  }

  private PostgresSettings settings() {
    return PostgresSettings.of(postgres.url(), postgres.user(), "");
  }

  private long count(String query) throws SQLException {
    try (var connection = DriverManager.getConnection(postgres.url(), postgres.user(), "");
        var statement = connection.createStatement();
        var row = statement.executeQuery(query)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
