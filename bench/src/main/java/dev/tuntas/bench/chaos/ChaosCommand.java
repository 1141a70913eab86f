package dev.tuntas.bench.chaos;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.cluster.ClusterSettings.Servers;
import dev.tuntas.bench.cluster.RabbitProcess;
import dev.tuntas.bench.server.ServerProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `./tuntas chaos`.
@Command(
    name = "chaos",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Kills the server again and again while customers place orders.",
    description = {
      "",
      "The server runs as a process of its own, on SQLite, with simulated bank and warehouse. Two"
          + " to five seconds after it came up it is killed with kill -9 and started again."
          + " Customers place checkouts, bookings and rides over HTTP, with all kinds of payment"
          + " methods and for scarce goods; they repeat with the same key, wait, watch and cancel,"
          + " and keep a journal of their own.",
      "",
      "In the end every order that was acknowledged must have ended or be on a person's desk, once"
          + " charged, once refunded, as its customer was told. kill -9 does not test what a loss"
          + " of power would do: the operating system keeps what was written.",
      "",
      "With --cluster it is many processes, as ./tuntas cluster starts them: they are killed one by"
          + " one and started again, workers are stopped for longer than others believe them alive,"
          + " PostgreSQL and Kafka are restarted and killed, Redis forgets everything. With"
          + " --rabbitmq the broker is the RabbitMQ that is installed here; its queues are deleted,"
          + " too, and the inventory is driven by messages.",
      "",
      "The last line on standard output is JSON. The exit code is 0 if nothing was violated.",
      ""
    })
public final class ChaosCommand implements Callable<Integer> {

  private static final double MINUTES_MAX = 24 * 60;
  private static final int RATE_MAX = 1_000;
  private static final Duration SETTLE_WITHIN = Duration.ofMinutes(5);

  @Spec private CommandSpec spec;

  @Option(
      names = "--minutes",
      paramLabel = "N",
      defaultValue = "3",
      description = "How long orders come in. Default: ${DEFAULT-VALUE}.")
  private double minutes;

  @Option(
      names = "--rate",
      paramLabel = "R",
      defaultValue = "20",
      description = "How many orders come in per second. Default: ${DEFAULT-VALUE}.")
  private int rate;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description =
          "Draws the same orders and the same lives again; what meets what still differs from run"
              + " to run. Default: drawn.")
  private long seed = System.nanoTime() & 0xffff_ffffL;

  @Option(names = "--cluster", description = "Many processes on PostgreSQL, Redis and Kafka.")
  private boolean cluster;

  @Option(names = "--no-redis", description = "The cluster has no Redis.")
  private boolean noRedis;

  @Option(names = "--no-kafka", description = "The cluster has no broker.")
  private boolean noKafka;

  @Option(
      names = "--rabbitmq",
      description = "The cluster has the RabbitMQ that is installed here instead of Kafka.")
  private boolean rabbitmq;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "A new or empty folder for the server's data, its output and the customers' journal,"
              + " which all stay there. Default: a temporary folder, deleted if all is well.")
  private @Nullable Path data;

  @Override
  public Integer call() {
    check();
    if (rabbitmq && RabbitProcess.installed().isEmpty()) {
      fail(
          "no rabbitmq-server is installed here: install it (on Debian: apt-get install"
              + " rabbitmq-server), or leave out --rabbitmq.");
      return 2;
    }
    try {
      return run();
    } catch (BenchException e) {
      return fail(e.getMessage());
    } catch (IOException | SQLException e) {
      return fail(e.toString());
    } catch (InterruptedException _) {
      return fail("interrupted");
    }
  }

  private int run() throws IOException, InterruptedException, SQLException {
    var folder = data != null ? data.toAbsolutePath() : Files.createTempDirectory("tuntas-chaos");
    var settings =
        new ChaosSettings(
            ServerProgram.installed().shortLived(),
            folder,
            Duration.ofMillis(Math.round(minutes * 60_000)),
            rate,
            seed,
            SETTLE_WITHIN);
    long violations = cluster ? rageOnCluster(settings) : rage(settings);
    if (violations > 0) return 1;
    if (data == null) delete(folder);
    return 0;
  }

  private long rage(ChaosSettings settings) throws IOException, InterruptedException, SQLException {
    ChaosReport report;
    try (var progress = Progress.onTerminal()) {
      report = new ChaosRun(settings, progress).run();
    }
    report.print(spec.commandLine().getOut());
    return report.violations();
  }

  private long rageOnCluster(ChaosSettings settings)
      throws IOException, InterruptedException, SQLException {
    var servers = new Servers(null, null, null, null, !noRedis, !noKafka, rabbitmq);
    ClusterReport report;
    try (var progress = Progress.onTerminal()) {
      report = new ClusterRun(settings, servers, progress).run();
    }
    report.print(spec.commandLine().getOut());
    return report.violations();
  }

  private static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }

  private void check() {
    if (!cluster && (noRedis || noKafka || rabbitmq)) {
      throw wrong("--no-redis, --no-kafka and --rabbitmq are for --cluster");
    }
    if (!(minutes >= 0.05 && minutes <= MINUTES_MAX)) {
      throw wrong("--minutes must be between 0.05 and " + (int) MINUTES_MAX + ", not " + minutes);
    }
    if (rate < 1 || rate > RATE_MAX) {
      throw wrong("--rate must be between 1 and " + RATE_MAX + ", not " + rate);
    }
    if (data != null && Files.exists(data) && !isEmpty(data)) {
      throw wrong("--data: " + data + " is not an empty folder");
    }
  }

  private static boolean isEmpty(Path folder) {
    try (var files = Files.list(folder)) {
      return files.findAny().isEmpty();
    } catch (IOException _) {
      return false;
    }
  }

  private int fail(@Nullable String why) {
    spec.commandLine().getErr().println("tuntas chaos: " + why);
    return 1;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
