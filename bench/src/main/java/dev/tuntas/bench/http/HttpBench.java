package dev.tuntas.bench.http;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.Workplace;
import dev.tuntas.bench.server.ServerProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
      "Goodput is what was accepted within a second. What ended per second, and by how much the"
          + " open orders grew, is said beside it; between phases they are given time to end.",
      "",
      "The last line on standard output is JSON, or the last two with both stores. The exit code is"
          + " 0 if everything could be measured.",
      ""
    })
public final class HttpBench implements Callable<Integer> {

  private static final int SECONDS_MAX = 600;

  @Spec private CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "sqlite|postgres",
      converter = StoreKind.Reader.class,
      description = "Where the server keeps its orders. Default: both, in turn.")
  private @Nullable StoreKind store;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "How long each phase lasts; there are eight, after warming up. Default:"
              + " ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "A folder on the disk to measure. Files are made in a new folder inside it, which is"
              + " deleted afterwards. Default: the system's folder for temporary files.")
  private @Nullable Path data;

  @Override
  public Integer call() {
    check();
    try {
      measure();
      return 0;
    } catch (BenchException e) {
      return fail(e.getMessage());
    } catch (IOException | SQLException e) {
      return fail(e.toString());
    } catch (InterruptedException _) {
      return fail("interrupted");
    }
  }

  private void measure() throws IOException, SQLException, InterruptedException {
    var program = ServerProgram.installed();
    var stores = store == null ? List.of(StoreKind.values()) : List.of(store);
    var results = new ArrayList<HttpResult>();
    try (var progress = Progress.onTerminal()) {
      progress.expect(Duration.ofSeconds(30L * seconds * stores.size()));
      for (var kind : stores) {
        try (var workplace = Workplace.open(data, kind == StoreKind.POSTGRES, null)) {
          var span = Duration.ofSeconds(seconds);
          results.add(new HttpRun(program, workplace, kind, span, progress).measure());
        }
      }
    }
    var out = spec.commandLine().getOut();
    results.forEach(result -> result.print(out));
    results.forEach(result -> out.println(result.json()));
    out.flush();
  }

  private void check() {
    if (seconds < 1 || seconds > SECONDS_MAX) {
      throw wrong("--seconds must be between 1 and " + SECONDS_MAX + ", not " + seconds);
    }
    if (data != null && !Files.isDirectory(data)) {
      throw wrong("--data: there is no folder " + data);
    }
  }

  private int fail(@Nullable String why) {
    spec.commandLine().getErr().println("tuntas bench http: " + why);
    return 1;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
