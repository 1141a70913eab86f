package dev.tuntas.bench.http;

import dev.tuntas.bench.Measuring;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.Workplace;
import dev.tuntas.bench.server.ServerProgram;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./tuntas bench rides`.
@Command(
    name = "rides",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Measures the server while very many rides wait for their job ids.",
    description = {
      "",
      "The server runs as a process of its own on SQLite, with a heap of 512 MB and a simulated"
          + " partner who books rides, assigns no jobs and calls nobody back. Rides come in over"
          + " HTTP as fast as they are accepted, with admission in shadow mode. When all are"
          + " booked, new rides and looks at known ones come at fixed times while the partner is"
          + " asked for job ids in vain. Then it assigns all jobs at once, and it is measured how"
          + " long it takes until every ride has learned of its own by asking.",
      "",
      "The last line on standard output is JSON. The exit code is 0 if the heap sufficed, every"
          + " request was answered in time, the partner's limit was never exceeded and every ride"
          + " got its job id.",
      ""
    })
public final class RidesBench implements Callable<Integer> {

  private static final int WAITING_MAX = 1_000_000;
  private static final int RATE_MAX = 100_000;
  private static final int SECONDS_MAX = 600;

  @Option(
      names = "--waiting",
      paramLabel = "N",
      defaultValue = "100000",
      description = "How many rides are to wait at once. Default: ${DEFAULT-VALUE}.")
  private int waiting;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "2000",
      description = "How many calls the partner takes per second. Default: ${DEFAULT-VALUE}.")
  private int rate;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "20",
      description = "How long to look at the server meanwhile. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Mixin private final Measuring measuring = new Measuring();

  @Override
  public Integer call() {
    measuring.between("--waiting", waiting, 1, WAITING_MAX);
    measuring.between("--rate", rate, 1, RATE_MAX);
    measuring.between("--seconds", seconds, 1, SECONDS_MAX);
    return measuring.run(this::measure);
  }

  private int measure() throws IOException, SQLException, InterruptedException {
    var program = ServerProgram.installed();
    RidesResult result;
    try (var progress = Progress.onTerminal();
        var workplace =
            Workplace.open(measuring.data(), false, null, Duration.ofSeconds(seconds))) {
      progress.expect(Duration.ofSeconds(20L + seconds + 4L * waiting / rate));
      var wanted = new RidesRun.Wanted(waiting, rate, Duration.ofSeconds(seconds));
      result = new RidesRun(program, workplace, wanted, progress).measure();
    }
    var out = measuring.out();
    result.print(out);
    out.println(result.json());
    out.flush();
    return result.wrong().isEmpty() ? 0 : 1;
  }
}
