package dev.tuntas.bench;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.tuntas.bench.orders.Flow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `./tuntas simulate`.
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Runs orders in virtual time, among faults of all kinds.",
    description = {
      "",
      "Each seed draws which faults there are (lost requests and replies, slow and repeated ones,"
          + " crashes at writes and calls, processes that stand still, partners that are away, a"
          + " store that fails, is slow, full, locked or cannot be reached, a broker that fails, a"
          + " clock that is set, cancellations, operators), how strong they are, how many processes"
          + " and sagas, and how the bank behaves. The flow 'checkout' (pay, commit stock, clear"
          + " the cart if possible, confirm) stretches the engine; the others are the platform's"
          + " own orders, with its own inventory, payment and dispatch. While faults last, every"
          + " event is checked against the ledgers of the services; then all is healed, and every"
          + " saga must come to rest with nothing lost, doubled or left over.",
      "",
      "The same seed gives the same run, event by event. The last line on standard output is JSON."
          + " The exit code is 0 if nothing was violated.",
      ""
    })
final class SimulateCommand implements Callable<Integer> {

  private static final int SEEDS_MAX = 100_000_000;
  private static final int STORIES_MAX = 3;

  @Spec private CommandSpec spec;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      defaultValue = "2000",
      description = "How many seeds to run. Default: ${DEFAULT-VALUE}.")
  private int seeds;

  @Option(
      names = "--from",
      paramLabel = "X",
      defaultValue = "1",
      description = "The first seed. Default: ${DEFAULT-VALUE}.")
  private long from;

  @Option(names = "--seed", paramLabel = "X", description = "Runs this one seed only.")
  private @Nullable Long seed;

  @Option(
      names = "--flow",
      paramLabel = "NAME",
      defaultValue = "checkout",
      converter = Flow.Reader.class,
      description =
          "What is simulated: checkout, pay-first, reserve-first, booking, ride, or all in turn."
              + " Default: ${DEFAULT-VALUE}.")
  private Set<Flow> flows;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many seeds run at once. Default: one per core.")
  private int threads = Runtime.getRuntime().availableProcessors();

  private final AtomicLong next = new AtomicLong();
  private final AtomicInteger violations = new AtomicInteger();

  @Override
  public Integer call() throws InterruptedException {
    check();
    ((Logger) LoggerFactory.getLogger("dev.tuntas")).setLevel(Level.OFF); // faults are meant
    var begun = System.nanoTime();
    var explorations = runAll();
    double took = (System.nanoTime() - begun) / 1e9;
    print(explorations, took);
    return violations.get() == 0 ? 0 : 1;
  }

  private void check() {
    if (seed != null) {
      from = seed;
      seeds = 1;
    }
    if (seeds < 1 || seeds > SEEDS_MAX) {
      throw new ParameterException(spec.commandLine(), "--seeds must be 1 to " + SEEDS_MAX);
    }
    if (threads < 1 || threads > 256) {
      throw new ParameterException(spec.commandLine(), "--threads must be 1 to 256");
    }
  }

  private List<Flow.Runs> runAll() throws InterruptedException {
    var explorations = new ArrayList<Flow.Runs>();
    var runners = new ArrayList<Thread>();
    try (var progress = Progress.onTerminal()) {
      progress.phase("seeds " + from + " to " + (from + seeds - 1));
      for (int i = 0; i < Math.min(threads, seeds); i++) {
        var exploration = new Flow.Runs(flows);
        explorations.add(exploration);
        runners.add(Thread.ofPlatform().start(() -> run(exploration, progress)));
      }
      for (var runner : runners) runner.join();
    }
    return explorations;
  }

  private void run(Flow.Runs exploration, Progress progress) {
    for (long n = next.getAndIncrement(); n < seeds; n = next.getAndIncrement()) {
      try {
        exploration.seed(from + n);
      } catch (AssertionError violated) {
        if (violations.incrementAndGet() <= STORIES_MAX)
          spec.commandLine().getErr().println(violated.getMessage());
      }
      progress.done((double) n / seeds);
    }
  }

  private void print(List<Flow.Runs> explorations, double seconds) {
    long sagas = 0;
    long events = 0;
    long done = 0;
    long hash = 0;
    for (var exploration : explorations) {
      for (var tally : exploration.tallies()) {
        sagas += tally.sagas();
        events += tally.events();
        done += tally.done();
        hash ^= tally.hash();
      }
    }
    var out = spec.commandLine().getOut();
    if (sagas > 0 && done == 0)
      violations.incrementAndGet(); // a run that did no work shows nothing
    out.printf(
        Locale.ROOT,
        "{\"seeds\":%d,\"sagas\":%d,\"events\":%d,\"sagas_per_second\":%d,\"violations\":%d,"
            + "\"done\":%d,\"threads\":%d,\"seconds\":%.1f,\"trace_hash\":\"%016x\"}%n",
        seeds,
        sagas,
        events,
        Math.round(sagas / seconds),
        violations.get(),
        done,
        explorations.size(),
        seconds,
        hash);
    out.flush();
  }
}
