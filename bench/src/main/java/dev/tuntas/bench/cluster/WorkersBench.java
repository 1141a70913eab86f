package dev.tuntas.bench.cluster;

import static dev.tuntas.bench.Figures.plain;
import static dev.tuntas.bench.Figures.rounded;

import dev.tuntas.bench.Measuring;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.TextTable;
import dev.tuntas.bench.Workplace;
import dev.tuntas.bench.cluster.WorkersRun.Rate;
import dev.tuntas.bench.cluster.WorkersRun.Wanted;
import java.io.IOException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./tuntas bench workers`.
@Command(
    name = "workers",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Measures how much faster two workers are than one, with slow partners.",
    description = {
      "",
      "Sagas of five calls wait in PostgreSQL, more than can be run. Workers in processes of their"
          + " own run them, each so many at once; a call takes as long as a partner does, and no"
          + " processor. First one worker, then one more each time.",
      "",
      "The last line on standard output is JSON. The exit code is 0 if everything could be"
          + " measured.",
      ""
    })
public final class WorkersBench implements Callable<Integer> {

  private static final int WORKERS_MAX = 8;
  private static final int IN_FLIGHT_MAX = 10_000;
  private static final int CALL_MAX = 10_000;
  private static final int SECONDS_MAX = 600;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "2",
      description = "How many workers in the end. Default: ${DEFAULT-VALUE}.")
  private int workers;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      defaultValue = "1000",
      description = "How many sagas each of them runs at once. Default: ${DEFAULT-VALUE}.")
  private int inFlight;

  @Option(
      names = "--call-ms",
      paramLabel = "N",
      defaultValue = "200",
      description = "How long a call takes. Default: ${DEFAULT-VALUE}.")
  private int call;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "15",
      description = "How long each is measured. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Mixin private final Measuring measuring = new Measuring();

  @Override
  public Integer call() {
    measuring.between("--workers", workers, 1, WORKERS_MAX);
    measuring.between("--in-flight", inFlight, 1, IN_FLIGHT_MAX);
    measuring.between("--call-ms", call, 1, CALL_MAX);
    measuring.between("--seconds", seconds, 1, SECONDS_MAX);
    return measuring.run(this::measure);
  }

  private int measure() throws IOException, SQLException, InterruptedException {
    var wanted =
        new Wanted(workers, inFlight, Duration.ofMillis(call), Duration.ofSeconds(seconds));
    List<Rate> rates;
    try (var progress = Progress.onTerminal();
        var workplace = Workplace.open(measuring.data(), true, null, wanted.span())) {
      progress.expect(Duration.ofSeconds(10L + workers * (seconds + 20L)));
      var output = workplace.folder("workers.log");
      rates = new WorkersRun(workplace.postgres(), output, wanted, progress).measure();
    }
    print(measuring.out(), wanted, rates);
    return 0;
  }

  private static void print(PrintWriter out, Wanted wanted, List<Rate> rates) {
    var table = new TextTable("workers", "ended/s", "of what is possible", "times one worker");
    double one = rates.getFirst().perSecond();
    for (var rate : rates) {
      double possible = wanted.perSecondMax(rate.workers());
      table.row(
          Integer.toString(rate.workers()),
          plain(rate.perSecond()),
          plain(100 * rate.perSecond() / possible) + " %",
          plain(rate.perSecond() / one));
    }
    table.print(out);
    var each =
        rates.stream()
            .map(rate -> rounded(rate.perSecond()).toString())
            .collect(Collectors.joining(",", "[", "]"));
    out.println(
        "{\"call_ms\":%d,\"in_flight\":%d,\"steps\":%d,\"ended_per_second\":%s,\"ratio\":%s}"
            .formatted(
                wanted.call().toMillis(),
                wanted.inFlight(),
                SlowSaga.STEPS,
                each,
                rounded(rates.getLast().perSecond() / one)));
    out.flush();
  }
}
