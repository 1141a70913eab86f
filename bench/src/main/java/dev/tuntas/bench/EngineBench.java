package dev.tuntas.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./tuntas bench engine`.
@Command(
    name = "engine",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Measures the engine with checkout sagas.",
    description = {
      "",
      "A checkout is submitted durably, then come payment, inventory and confirm, each a call that"
          + " does nothing and whose result is durable before the next one; at the end a notice is"
          + " published.",
      "",
      "In the same run, in turns, it measures single-row commits, plain JDBC with one commit per"
          + " transition, and a bare group commit without any safety, which is an upper bound. Each"
          + " is warmed up before its turns, at first for half as long as it is measured, at most"
          + " 15 s. Everything is durable: fsync and synchronous_commit are on. Compare ratios, not"
          + " absolute figures, between machines. At 50 checkouts a second most of the time is the"
          + " disk's: what it takes for the four commits of one, alone, is measured beside it."
          + " Before that, checkouts run one at a time: as much is compiled then as after minutes"
          + " of that pace.",
      "",
      "The last line on standard output is JSON. The exit code is 0 if everything could be"
          + " measured, whether or not targets were met.",
      ""
    })
final class EngineBench implements Callable<Integer> {

  private static final int SECONDS_MAX = 3_600;
  private static final int IN_FLIGHT_MAX = 5_000;
  private static final int PRELOAD_MAX = 100_000_000;

  @Option(
      names = "--store",
      required = true,
      paramLabel = "sqlite|postgres",
      converter = StoreKind.Reader.class,
      description = "Where the engine keeps its sagas.")
  private StoreKind store;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "20",
      description = "How long each system is measured, in all. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "256",
      description =
          "Sagas begun and not ended at any time; when one ends, the next begins."
              + " Default: ${DEFAULT-VALUE}.")
  private int inFlight;

  @Option(
      names = "--peers",
      description =
          "Also measures DBOS Transact and db-scheduler at the same work. They run on PostgreSQL,"
              + " with --store sqlite too.")
  private boolean peers;

  @Option(
      names = "--preload",
      paramLabel = "N",
      defaultValue = "0",
      description = "Puts N finished sagas into the tables first, and compares with empty tables.")
  private int preload;

  @Option(
      names = "--waiting",
      paramLabel = "N",
      defaultValue = "0",
      description = "Puts N waiting sagas into the tables first, and compares with empty tables.")
  private int waiting;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description =
          "A PostgreSQL server to use instead of an embedded one:"
              + " jdbc:postgresql://host/database?user=me. The password may be in PGPASSWORD."
              + " Everything happens in schemas called tuntas_bench_..., which are dropped"
              + " before and after.")
  private @Nullable String url;

  @Mixin private final Measuring measuring = new Measuring();

  @Override
  public Integer call() {
    check();
    return measuring.run(this::measure);
  }

  private int measure() throws IOException, SQLException, InterruptedException {
    var settings =
        new BenchSettings(
            store,
            Duration.ofSeconds(seconds),
            inFlight,
            peers,
            preload,
            waiting,
            url,
            measuring.data());
    try (var workplace = Workplace.open(settings);
        var progress = Progress.onTerminal()) {
      var lineUp = LineUp.of(settings, workplace);
      var results = new EngineRun(settings, lineUp, progress).measure();
      progress.close();
      new EngineReport(settings, results).print(measuring.out());
    }
    return 0;
  }

  private void check() {
    measuring.between("--seconds", seconds, 1, SECONDS_MAX);
    measuring.between("--in-flight", inFlight, 1, IN_FLIGHT_MAX);
    measuring.between("--preload", preload, 0, PRELOAD_MAX);
    measuring.between("--waiting", waiting, 0, PRELOAD_MAX);
    if (url != null && store == StoreKind.SQLITE && !peers) {
      throw measuring.wrong("--url is for --store postgres, or for --peers");
    }
    if (url != null && !url.startsWith("jdbc:postgresql:")) {
      throw measuring.wrong("--url must begin with jdbc:postgresql:");
    }
  }
}
