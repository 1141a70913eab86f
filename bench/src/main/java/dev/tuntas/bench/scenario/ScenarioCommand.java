package dev.tuntas.bench.scenario;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.alerts.AlertRule;
import dev.tuntas.bench.alerts.RuleFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// `./tuntas scenario`.
@Command(
    name = "scenario",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Runs many rides against a partner that behaves badly.",
    description = {
      "",
      "normal         95 %% of the job ids are told by callbacks, the others are asked for",
      "no-callbacks   no job id is told",
      "slow-partner   half of the job ids are assigned 10 to 15 minutes late",
      "outage         the partner is down for a sixth of the time: 10 of 60 minutes",
      "flood          77 000 customers in an hour, while the drivers vanish; full areas refuse",
      "",
      "In virtual time the real engine, saga, lanes, admission and alert rules run with the"
          + " simulated partner on one thread, and the same seed gives the same figures. With"
          + " --real the orders go to a running server (./tuntas run) over HTTP; its simulated"
          + " partner and its flags are put back in the end.",
      "",
      "Shown are the KPIs with their targets. Violated is a scenario if an order that could have a"
          + " job id has none after 30 minutes, the partner gets more calls in a second than it"
          + " takes, a slot is not given back or taken beyond the limit, heap or threads grow, or"
          + " an alert fires that should not, or does not although it should.",
      "",
      "The last line on standard output is JSON. The exit code is 0 if nothing was violated.",
      ""
    })
public final class ScenarioCommand implements Callable<Integer> {

  private static final double MINUTES_MAX = 24 * 60;
  private static final double RATE_MAX = 1_000;
  private static final double MINUTES = 60;
  private static final double MINUTES_REAL = 2;
  private static final double RATE = 100;
  private static final double RATE_REAL = 50;
  private static final int WARM_UP_MAX = 3_600;
  private static final int LIMIT_MAX = 1_000_000;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      converter = Names.class,
      completionCandidates = Names.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private Scenario scenario = Scenario.NORMAL;

  @Option(
      names = "--rate",
      paramLabel = "R",
      description = "New orders per second. Default: 100; with --real, 50.")
  private @Nullable Double rate;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      description = "How long they come in. Default: 60; with --real, 2.")
  private @Nullable Double minutes;

  @Option(
      names = "--rate-limit",
      paramLabel = "N",
      defaultValue = "500",
      description = "Calls per second that the partner takes. Default: ${DEFAULT-VALUE}.")
  private int rateLimit;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "1",
      description = "Draws another crowd. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "target",
      description =
          "Where the picture goes, as scenario-NAME.svg. Default: the folder ${DEFAULT-VALUE}.")
  private Path out;

  @Option(names = "--real", description = "In real time, against a running server.")
  private boolean real;

  @Option(
      names = "--warm-up",
      paramLabel = "S",
      defaultValue = "90",
      description =
          "With --real: so many seconds of a normal day come first, at a third, two thirds and all"
              + " of the rate, and are not counted. A server that was just started is slow until"
              + " its code is compiled. Default: ${DEFAULT-VALUE}.")
  private int warmUp;

  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8080",
      description = "Where it listens. Default: ${DEFAULT-VALUE}.")
  private URI url;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "data",
      description =
          "The server's data folder, whose credentials.properties has the keys. The variables"
              + " TUNTAS_CLIENT_KEY and TUNTAS_ADMIN_KEY win. Default: ${DEFAULT-VALUE}.")
  private Path data;

  /// Scenarios as they are called on the command line.
  static final class Names implements ITypeConverter<Scenario>, Iterable<String> {
    @Override
    public Scenario convert(String word) {
      return Stream.of(Scenario.values())
          .filter(it -> it.word().equals(word))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'" + word + "' is none of " + String.join(", ", words())));
    }

    private static List<String> words() {
      return Stream.of(Scenario.values()).map(Scenario::word).toList();
    }

    @Override
    public Iterator<String> iterator() {
      return words().iterator();
    }
  }

  @Override
  public Integer call() {
    var settings = settings();
    try {
      var result = run(settings);
      new ScenarioReport(result).print(spec.commandLine().getOut(), picture(result));
      return result.violations() == 0 ? 0 : 1;
    } catch (BenchException e) {
      return fail(e.getMessage());
    } catch (IOException e) {
      return fail("the server at " + url + " cannot be reached: " + e);
    } catch (InterruptedException _) {
      return fail("interrupted");
    }
  }

  private ScenarioResult run(ScenarioSettings settings) throws IOException, InterruptedException {
    try (var progress = Progress.onTerminal()) {
      if (!real) {
        try (var run = new VirtualScenario(settings, rules(), progress)) {
          return run.run();
        }
      }
      try (var api = new Api(url, Api.Keys.of(System.getenv(), data))) {
        for (var warming : settings.warmingUp(Duration.ofSeconds(warmUp))) {
          new RealScenario(warming, api, rules(), progress, "warming up").run();
        }
        return new RealScenario(settings, api, rules(), progress, "orders come in").run();
      }
    }
  }

  /// The very rules that Prometheus is given.
  private static List<AlertRule> rules() {
    var file = System.getProperty("tuntas.rules", "deploy/prometheus/tuntas-rules.yml");
    try {
      return RuleFile.read(Path.of(file));
    } catch (IOException e) {
      throw new BenchException("the alert rules cannot be read: " + e);
    }
  }

  private Path picture(ScenarioResult result) {
    try {
      Files.createDirectories(out);
      var file = out.resolve("scenario-" + result.settings().scenario().word() + ".svg");
      Files.writeString(file, Picture.of(result));
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ScenarioSettings settings() {
    double wanted = minutes != null ? minutes : real ? MINUTES_REAL : MINUTES;
    if (!(wanted >= 0.1 && wanted <= MINUTES_MAX)) {
      throw wrong("--minutes must be between 0.1 and " + (int) MINUTES_MAX + ", not " + wanted);
    }
    double orders = rate != null ? rate : real ? RATE_REAL : RATE;
    if (!(orders >= 0.1 && orders <= RATE_MAX)) {
      throw wrong("--rate must be between 0.1 and " + (int) RATE_MAX + ", not " + orders);
    }
    if (warmUp < 0 || warmUp > WARM_UP_MAX) {
      throw wrong("--warm-up must be between 0 and " + WARM_UP_MAX + ", not " + warmUp);
    }
    if (rateLimit < 1 || rateLimit > LIMIT_MAX) {
      throw wrong("--rate-limit must be between 1 and " + LIMIT_MAX + ", not " + rateLimit);
    }
    return new ScenarioSettings(
        scenario, orders, Duration.ofMillis(Math.round(wanted * 60_000)), seed, rateLimit);
  }

  private int fail(@Nullable String why) {
    spec.commandLine().getErr().println("tuntas scenario: " + why);
    return 1;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
