package dev.tuntas.testservers;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import kafka.tools.StorageTool;
import org.jspecify.annotations.Nullable;

/// A real Kafka in a process of its own, so that it can be killed.
public final class TestKafka implements AutoCloseable {

  private static final Duration START_WITHIN = Duration.ofSeconds(60);
  private static final int LOOK_MILLIS = 50;

  private final Path folder;
  private final Path config;
  private final int port;
  private @Nullable Process process;

  private TestKafka(Path folder, String more) throws IOException {
    this.folder = folder;
    this.config = folder.resolve("server.properties");
    this.port = Loopback.freePort();
    int controller = Loopback.freePort();
    Files.writeString(
        config,
        """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:%2$d
        listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
        advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
        controller.listener.names=CONTROLLER
        log.dirs=%3$s
        offsets.topic.replication.factor=1
        offsets.topic.num.partitions=1
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        group.initial.rebalance.delay.ms=0
        auto.create.topics.enable=false
        """
                .formatted(port, controller, folder.resolve("logs"))
            + more);
    try (var quiet = new PrintStream(PrintStream.nullOutputStream())) {
      var format = new String[] {"format", "-t", "MkU3OEVBNTcwNTJENDM2Qk", "-c", config.toString()};
      int code = StorageTool.execute(format, quiet);
      if (code != 0) throw new IOException("Kafka's storage was not formatted: " + code);
    }
  }

  public static TestKafka start(Path folder) throws IOException, InterruptedException {
    return start(folder, "");
  }

  /// @param more lines of its settings
  public static TestKafka start(Path folder, String more) throws IOException, InterruptedException {
    var kafka = new TestKafka(folder, more);
    kafka.begin();
    return kafka;
  }

  public String servers() {
    return "127.0.0.1:" + port;
  }

  /// Starts it, or starts it again with what it had.
  public void begin() throws IOException, InterruptedException {
    var log = folder.resolve("kafka.log");
    var started =
        new ProcessBuilder(command())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    process = started;
    long end = System.nanoTime() + START_WITHIN.toNanos();
    while (!Loopback.answers(port)) {
      if (!started.isAlive() || System.nanoTime() > end) {
        throw new IOException("Kafka did not start:\n" + Files.readString(log));
      }
      started.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private List<String> command() {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var classes = System.getProperty("java.class.path");
    return List.of(
        java,
        "-Xmx256m",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        System.getProperty("surefire.test.class.path", classes),
        "kafka.Kafka",
        config.toString());
  }

  /// As `kill -9` does.
  public void kill() throws InterruptedException {
    if (process != null) process.destroyForcibly().waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
  }
}
