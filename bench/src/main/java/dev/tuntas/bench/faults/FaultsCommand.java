package dev.tuntas.bench.faults;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.StoreKind;
import dev.tuntas.bench.server.ServerProgram;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `./tuntas faults`.
@Command(
    name = "faults",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Lets one thing after the other go wrong around the running server.",
    description = {
      "",
      "The server runs as a process of its own, with whatever a fault needs: PostgreSQL, Redis,"
          + " Kafka, a small disk. Customers place orders of all kinds over HTTP. Then the fault,"
          + " for ten seconds or more, and its healing.",
      "",
      "For each fault: what customers saw while it lasted, how many seconds after the healing"
          + " orders moved again, whether readiness told the truth, lines in the log, and what"
          + " verify says in the end: lost, charged twice, stuck. Nobody restarts the server by"
          + " hand; if it ends by itself it is started again, as a supervisor does.",
      "",
      "The last line on standard output is JSON. The exit code is 0 if after each fault orders"
          + " moved again within 15 s, readiness was never 200 for more than 5 s while nothing"
          + " could be written, and nothing was violated. A fault that cannot be made on this"
          + " machine is skipped, with a sentence.",
      ""
    })
public final class FaultsCommand implements Callable<Integer> {

  private static final int RATE_MAX = 200;

  @Spec private CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "S",
      defaultValue = "both",
      description = "sqlite, postgres or both. Default: ${DEFAULT-VALUE}.")
  private String store = "both";

  @Option(
      names = "--only",
      paramLabel = "NAME",
      split = ",",
      description = "Only this fault, or these: NAME,NAME. --list shows the names.")
  private @Nullable List<String> only;

  @Option(names = "--list", description = "Lists the faults and runs none.")
  private boolean list;

  @Option(
      names = "--rate",
      paramLabel = "R",
      defaultValue = "8",
      description = "How many orders come in per second. Default: ${DEFAULT-VALUE}.")
  private int rate;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "Draws the same orders again. Default: drawn.")
  private long seed = System.nanoTime() & 0xffff_ffffL;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "A new or empty folder in which data, logs and journals of all runs stay. Default: a"
              + " temporary folder, of which only runs stay in which something was wrong.")
  private @Nullable Path data;

  /// A fault on a store.
  private record Pair(Fault fault, StoreKind store) {}

  @Override
  public Integer call() {
    var chosen = check();
    try {
      if (list) return list(spec.commandLine().getOut());
      return run(chosen);
    } catch (BenchException e) {
      return fail(e.getMessage());
    } catch (IOException e) {
      return fail(e.toString());
    } catch (InterruptedException _) {
      return fail("interrupted");
    }
  }

  private static int list(PrintWriter out) {
    for (var fault : Faults.all()) {
      var stores = fault.stores().stream().sorted().map(StoreKind::toString);
      out.printf(
          "%-24s %-16s %s%n", fault.name(), stores.collect(Collectors.joining(", ")), fault.what());
    }
    out.flush();
    return 0;
  }

  private int run(List<Pair> chosen) throws IOException, InterruptedException {
    var folder = data != null ? data.toAbsolutePath() : Files.createTempDirectory("tuntas-faults");
    var settings = FaultRun.Settings.usual(ServerProgram.installed(), rate, seed);
    long began = System.nanoTime();
    var results = new ArrayList<FaultResult>();
    try (var progress = Progress.onTerminal()) {
      for (var pair : chosen) {
        progress.done((double) results.size() / chosen.size());
        var place = folder.resolve(pair.store + "-" + pair.fault.name());
        var result = new FaultRun(pair.fault, pair.store, settings, place, progress).run();
        results.add(result);
        progress.say(FaultsReport.line(result));
        if (data == null && result.isFine()) delete(place);
      }
    }
    var report = new FaultsReport(results, (System.nanoTime() - began) / 1e9);
    report.print(spec.commandLine().getOut());
    if (!report.isFine()) return fail("what there is to look at is in " + folder);
    if (data == null) delete(folder);
    return 0;
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) return;
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }

  private List<Pair> check() {
    if (rate < 1 || rate > RATE_MAX) {
      throw wrong("--rate must be between 1 and " + RATE_MAX + ", not " + rate);
    }
    if (data != null && Files.exists(data) && !isEmpty(data)) {
      throw wrong("--data: " + data + " is not an empty folder");
    }
    var chosen = new ArrayList<Pair>();
    for (var kind : stores()) {
      for (var fault : Faults.all()) {
        boolean wanted = only == null || only.contains(fault.name());
        if (wanted && fault.stores().contains(kind)) chosen.add(new Pair(fault, kind));
      }
    }
    if (only != null) only.forEach(name -> requireKnown(name, chosen));
    return chosen;
  }

  private void requireKnown(String name, List<Pair> chosen) {
    if (Faults.all().stream().noneMatch(fault -> fault.name().equals(name))) {
      throw wrong("--only: there is no fault '" + name + "'; --list shows the names");
    }
    if (chosen.stream().noneMatch(pair -> pair.fault.name().equals(name))) {
      throw wrong("--only: " + name + " cannot happen to " + store + "; --list shows where it can");
    }
  }

  private List<StoreKind> stores() {
    if (store.equals("both")) return List.of(StoreKind.values());
    for (var kind : StoreKind.values()) if (kind.toString().equals(store)) return List.of(kind);
    throw wrong("--store must be sqlite, postgres or both, not '" + store + "'");
  }

  private static boolean isEmpty(Path folder) {
    try (var files = Files.list(folder)) {
      return files.findAny().isEmpty();
    } catch (IOException _) {
      return false;
    }
  }

  private int fail(@Nullable String why) {
    spec.commandLine().getErr().println("tuntas faults: " + why);
    return 1;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
