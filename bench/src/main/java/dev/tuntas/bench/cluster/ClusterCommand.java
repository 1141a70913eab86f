package dev.tuntas.bench.cluster;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.Progress;
import dev.tuntas.bench.cluster.ClusterSettings.Servers;
import dev.tuntas.bench.server.ServerProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `./tuntas cluster`.
@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    header = "Runs the platform as many processes on this machine.",
    description = {
      "",
      "Starts PostgreSQL, Redis and Kafka, or uses those that are named; then two web processes,"
          + " two workers, one inventory, one payment service, and one that simulates the bank, the"
          + " dispatch partner and the carts. All of them listen on this machine only. Prints where"
          + " they are and how to place orders. Ctrl-C stops all of them.",
      ""
    })
public final class ClusterCommand implements Callable<Integer> {

  private static final int PROCESSES_MAX = 16;
  private static final int PORT_MAX = 65_000;
  private static final Duration USUAL = Duration.ofSeconds(40);

  @Spec private CommandSpec spec;

  @Option(
      names = "--web",
      paramLabel = "N",
      defaultValue = "2",
      description = "How many processes accept orders. Default: ${DEFAULT-VALUE}.")
  private int web;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "2",
      description = "How many processes run sagas. Default: ${DEFAULT-VALUE}.")
  private int workers;

  @Option(
      names = "--port",
      paramLabel = "P",
      defaultValue = "0",
      description =
          "The port of the first web process; the other processes follow. Default: free ones.")
  private int port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Keeps data, logs and keys in this folder, for the next time too. Default: a temporary"
              + " folder, which is deleted in the end.")
  private @Nullable Path data;

  @Option(
      names = "--postgres",
      paramLabel = "URL",
      description = "Uses this database: jdbc:postgresql://host/database?user=...")
  private @Nullable String postgres;

  @Option(names = "--redis", paramLabel = "URL", description = "Uses this one: redis://host:6379")
  private @Nullable String redis;

  @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "Uses this broker.")
  private @Nullable String kafka;

  @Option(
      names = "--rabbitmq",
      paramLabel = "URL",
      description = "Uses RabbitMQ instead of Kafka: amqp://host")
  private @Nullable String rabbitmq;

  @Option(names = "--no-redis", description = "Without Redis.")
  private boolean noRedis;

  @Option(names = "--no-kafka", description = "Without a broker.")
  private boolean noKafka;

  @Parameters(
      paramLabel = "SETTING",
      arity = "0..*",
      description = "More settings for every process, after --: --tuntas.ride.news-wait=5s")
  private List<String> more = List.of();

  private volatile boolean failed;

  @Override
  public Integer call() {
    check();
    try {
      return run();
    } catch (BenchException | UncheckedIOException e) {
      return fail(e.getMessage());
    } catch (IOException e) {
      return fail(e.toString());
    } catch (InterruptedException _) {
      return fail("interrupted");
    }
  }

  private int run() throws IOException, InterruptedException {
    var folder = data != null ? data.toAbsolutePath() : Files.createTempDirectory("tuntas-cluster");
    var servers = new Servers(postgres, redis, kafka, rabbitmq, !noRedis, !noKafka, false);
    var settings =
        new ClusterSettings(
            ServerProgram.installed(), folder, web, workers, port, servers, List.copyOf(more));
    Files.createDirectories(folder);
    var cluster = Cluster.of(settings);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(cluster, folder), "end of cluster"));
    try (var progress = Progress.onTerminal()) {
      progress.expect(USUAL);
      cluster.start(progress);
    } catch (BenchException | UncheckedIOException e) {
      failed = true;
      throw e;
    }
    new ClusterSheet(cluster).print(spec.commandLine().getOut());
    new CountDownLatch(1).await();
    return 0;
  }

  /// However the command ends. Logs of what did not start are kept.
  private void end(Cluster cluster, Path folder) {
    System.err.println("stopping all processes");
    cluster.close();
    if (data != null || failed) return;
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    } catch (IOException | UncheckedIOException e) {
      System.err.println("tuntas cluster: could not delete " + folder + ": " + e);
    }
  }

  private void check() {
    between("--web", web, 1, PROCESSES_MAX);
    between("--workers", workers, 1, PROCESSES_MAX);
    between("--port", port, 0, PORT_MAX);
    if (noRedis && redis != null) throw wrong("--redis and --no-redis exclude each other");
    if (noKafka && kafka != null) throw wrong("--kafka and --no-kafka exclude each other");
    if (kafka != null && rabbitmq != null) throw wrong("--kafka and --rabbitmq: choose one");
    if (postgres != null && !postgres.startsWith("jdbc:postgresql:")) {
      throw wrong("--postgres must begin with jdbc:postgresql:");
    }
    for (var setting : more) {
      if (!setting.matches("--[a-z]+\\..+=.*")) {
        throw wrong("'" + setting + "' is no setting: --tuntas.KEY=VALUE");
      }
    }
  }

  private void between(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw wrong(option + " must be between " + least + " and " + most + ", not " + value);
    }
  }

  private int fail(@Nullable String why) {
    spec.commandLine().getErr().println("tuntas cluster: " + why);
    return 1;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
