package dev.tuntas.bench.http;

import dev.tuntas.bench.Measuring;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.Workplace;
import dev.tuntas.bench.server.ServerProgram;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `./tuntas bench http`.
@Command(
    name = "http",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Measures how many orders the server accepts over HTTP.",
    description = {
      "",
      "The server runs as a process of its own, with simulated bank and warehouse, and the load"
          + " comes from this process: they share the machine, and so does the work on the orders"
          + " that were accepted. First it is measured how many checkouts are accepted per second"
          + " when every client waits for its answer; then orders come at fixed times, at 0.5 to 10"
          + " times that rate, and latency is counted from the time at which an order was meant to"
          + " be sent.",
      "",
      "Goodput is how many orders per second are accepted within a second and worked off: the"
          + " smaller of the two rates, which are said beside it. The loads come in turns, ten"
          + " times each (five if --seconds is less than 10, two if it is 1) and in another order"
          + " each time, and each turn is counted after four seconds of the same load (or less, in"
          + " a short run), when as many orders are open as the server lets be; between turns they"
          + " are given time to end. Beside goodput stands the standard error of its turns.",
      "",
      "The last line on standard output is JSON, or the last two with both stores. The exit code is"
          + " 0 if everything could be measured.",
      ""
    })
public final class HttpBench implements Callable<Integer> {

  private static final int SECONDS_MAX = 600;

  @Option(
      names = "--store",
      paramLabel = "sqlite|postgres",
      converter = StoreKind.Reader.class,
      description = "Where the server keeps its orders. Default: both, in turn.")
  private @Nullable StoreKind store;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "50",
      description =
          "How long each of the five loads lasts, in all, after warming up; the capacity is"
              + " looked for three times before, for as long, but 20 s at most. Default:"
              + " ${DEFAULT-VALUE}.")
  private int seconds;

  @Mixin private final Measuring measuring = new Measuring();

  @Override
  public Integer call() {
    measuring.between("--seconds", seconds, 1, SECONDS_MAX);
    return measuring.run(this::measure);
  }

  private int measure() throws IOException, SQLException, InterruptedException {
    var program = ServerProgram.installed();
    var stores = store == null ? List.of(StoreKind.values()) : List.of(store);
    var results = new ArrayList<HttpResult>();
    try (var progress = Progress.onTerminal()) {
      progress.expect(Duration.ofSeconds((430 + 5L * seconds) * stores.size()));
      for (var kind : stores) {
        var span = Duration.ofSeconds(seconds);
        boolean postgres = kind == StoreKind.POSTGRES;
        try (var workplace = Workplace.open(measuring.data(), postgres, null, span)) {
          results.add(new HttpRun(program, workplace, kind, span, progress).measure());
        }
      }
    }
    var out = measuring.out();
    results.forEach(result -> result.print(out));
    results.forEach(result -> out.println(result.json()));
    out.flush();
    return 0;
  }
}
