package dev.tuntas.bench.cluster;

import dev.tuntas.bench.BenchException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.IntUnaryOperator;

/// A Kafka broker that is its own controller, in a JVM of its own, out of jars.
public final class KafkaProcess implements AutoCloseable {

  /// Where `./tuntas` says that the class path of the broker is written down.
  private static final String PLACE = "tuntas.kafka";

  private static final Duration START_WITHIN = Duration.ofMinutes(2);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(30);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);
  private static final String CLUSTER_ID = "dHVudGFzLWNsdXN0ZXItMQ";

  private static final String LOGGING =
      """
      <configuration>
        <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
          <encoder><pattern>%d %-5level %logger{0}: %msg%n</pattern></encoder>
        </appender>
        <root level="warn"><appender-ref ref="out"/></root>
      </configuration>
      """;

  private final Path folder;
  private final Path log;
  private final int port;
  private final Guardian guardian;
  private Process process;

  private KafkaProcess(Path folder, Path log, int port, Guardian guardian) {
    this.folder = folder;
    this.log = log;
    this.port = port;
    this.guardian = guardian;
    this.process = launch();
  }

  /// Starts one. What is in the folder from an earlier life stays, and so do its ports, which it
  /// has written down.
  static KafkaProcess start(Path folder, Path log, IntSupplier ports, Guardian guardian)
      throws InterruptedException {
    return start(folder, log, ports, port -> port, guardian);
  }

  /// @param told the port that clients are told, by the one on which it listens
  public static KafkaProcess start(
      Path folder, Path log, IntSupplier ports, IntUnaryOperator told, Guardian guardian)
      throws InterruptedException {
    int port;
    try {
      var settings = settings(folder);
      if (!Files.exists(folder.resolve("log/meta.properties"))) {
        Files.createDirectories(folder);
        int free = ports.getAsInt();
        Files.writeString(settings, text(folder, free, ports.getAsInt(), told.applyAsInt(free)));
        format(folder, log, guardian);
      }
      port = port(settings);
    } catch (IOException e) {
      throw new UncheckedIOException("prepare Kafka's folder", e);
    }
    var kafka = new KafkaProcess(folder, log, port, guardian);
    kafka.await();
    return kafka;
  }

  private static Path settings(Path folder) {
    return folder.resolve("kafka.properties");
  }

  private static int port(Path settings) throws IOException {
    var known = new Properties();
    try (var reader = Files.newBufferedReader(settings)) {
      known.load(reader);
    }
    var first = known.getProperty("listeners").replaceFirst(",.*", "");
    return URI.create(first).getPort();
  }

  private static String text(Path folder, int port, int controller, int told) {
    return """
    process.roles=broker,controller
    node.id=1
    listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
    advertised.listeners=PLAINTEXT://127.0.0.1:%4$d,CONTROLLER://127.0.0.1:%2$d
    listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
    inter.broker.listener.name=PLAINTEXT
    controller.listener.names=CONTROLLER
    controller.quorum.bootstrap.servers=127.0.0.1:%2$d
    log.dirs=%3$s
    num.partitions=4
    default.replication.factor=1
    min.insync.replicas=1
    offsets.topic.replication.factor=1
    offsets.topic.num.partitions=1
    transaction.state.log.replication.factor=1
    transaction.state.log.min.isr=1
    transaction.state.log.num.partitions=1
    share.coordinator.state.topic.replication.factor=1
    share.coordinator.state.topic.min.isr=1
    group.initial.rebalance.delay.ms=0
    """
        .formatted(port, controller, folder.resolve("log").toAbsolutePath(), told);
  }

  private static void format(Path folder, Path log, Guardian guardian)
      throws IOException, InterruptedException {
    var tool =
        run(
            log,
            guardian,
            "kafka.tools.StorageTool",
            "format",
            "--standalone",
            "-t",
            CLUSTER_ID,
            "-c",
            settings(folder).toString());
    if (!tool.waitFor(START_WITHIN.toMillis(), TimeUnit.MILLISECONDS) || tool.exitValue() != 0) {
      throw new BenchException("Kafka's folder could not be prepared: see " + log);
    }
  }

  private Process launch() {
    try {
      return run(log, guardian, "kafka.Kafka", settings(folder).toString());
    } catch (IOException e) {
      throw new UncheckedIOException("start Kafka", e);
    }
  }

  private static Process run(Path log, Guardian guardian, String... words) throws IOException {
    Files.writeString(log.resolveSibling("kafka-logback.xml"), LOGGING);
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Dlogback.configurationFile=" + log.resolveSibling("kafka-logback.xml"),
            "-cp",
            classPath()));
    command.addAll(List.of(words));
    var process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()))
            .start();
    guardian.watch(process.toHandle(), Guardian.Signal.KILL);
    return process;
  }

  private static String classPath() throws IOException {
    var place = System.getProperty(PLACE);
    if (place == null || !Files.isRegularFile(Path.of(place))) {
      throw new BenchException("Kafka was not fetched: use ./tuntas, or --no-kafka");
    }
    return Files.readString(Path.of(place)).strip();
  }

  private void await() throws InterruptedException {
    long end = System.nanoTime() + START_WITHIN.toNanos();
    while (!listens()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new BenchException("Kafka did not start: see " + log);
      }
      Thread.sleep(LOOK_AGAIN);
    }
  }

  private boolean listens() {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  public String servers() {
    return "127.0.0.1:" + port;
  }

  long pid() {
    return process.pid();
  }

  /// Ends it without a warning and starts it again.
  public void killAndStart() throws InterruptedException {
    process.destroyForcibly().waitFor();
    process = launch();
    await();
  }

  /// Asks it to end and starts it again.
  public void restart() throws InterruptedException {
    stop();
    process = launch();
    await();
  }

  private void stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }

  @Override
  public void close() {
    try {
      stop();
    } catch (InterruptedException _) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
