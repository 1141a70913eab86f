package dev.tuntas.testservers;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The RabbitMQ that is installed on this machine, as a node of its own: its data and logs are in a
/// folder of the test, and it listens on loopback only. Who starts it closes it; it ends with this
/// JVM in any case.
public final class TestRabbit implements AutoCloseable {

  /// Where packages put the program itself. The one on the path may be a wrapper that changes the
  /// user, so that it comes second.
  private static final Path PACKAGED = Path.of("/usr/lib/rabbitmq/bin");

  private static final String PROGRAM = "rabbitmq-server";
  private static final byte[] GREETING = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
  private static final int METHOD_FRAME = 1;
  private static final int LOOK_MILLIS = 100;
  private static final int ANSWER_MILLIS = 1_000;
  private static final Duration START_WITHIN = Duration.ofSeconds(90);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(30);

  private final Path program;
  private final Path folder;
  private final int port = Loopback.freePort();
  private final int namesPort = Loopback.freePort();
  private final int nodesPort = Loopback.freePort();
  private final Process names;
  private @Nullable Process node;

  private TestRabbit(Path program, Path folder) throws IOException {
    this.program = program;
    this.folder = folder;
    this.names = knowNames();
    Runtime.getRuntime().addShutdownHook(new Thread(this::kill));
  }

  /// Nothing if none is installed.
  public static Optional<TestRabbit> start(Path folder) throws IOException, InterruptedException {
    var program = installed();
    if (program.isEmpty()) return Optional.empty();
    var rabbit = new TestRabbit(program.get(), folder);
    try {
      rabbit.begin();
    } catch (IOException | InterruptedException e) {
      rabbit.kill();
      throw e;
    }
    return Optional.of(rabbit);
  }

  private static Optional<Path> installed() {
    var path = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator);
    return Stream.concat(Stream.of(PACKAGED), Arrays.stream(path).map(Path::of))
        .map(directory -> directory.resolve(PROGRAM))
        .filter(Files::isExecutable)
        .findFirst();
  }

  public URI url() {
    return URI.create("amqp://guest:guest@127.0.0.1:" + port);
  }

  /// Erlang's server of names is started here, because one that a node starts outlives it.
  private Process knowNames() throws IOException {
    var log = folder.resolve("epmd.log").toFile();
    return new ProcessBuilder("epmd", "-address", "127.0.0.1", "-port", "" + namesPort)
        .redirectErrorStream(true)
        .redirectOutput(log)
        .start();
  }

  /// Starts it, or starts it again with what it had.
  public void begin() throws IOException, InterruptedException {
    var log = folder.resolve("rabbitmq.log");
    var builder =
        new ProcessBuilder(program.toString())
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment());
    var started = builder.start();
    node = started;
    started.getOutputStream().close();
    long end = System.nanoTime() + START_WITHIN.toNanos();
    while (!greets()) {
      if (!started.isAlive() || System.nanoTime() > end) {
        throw new IOException("RabbitMQ did not start:\n" + Files.readString(log));
      }
      started.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  /// An open port is not enough: it must speak.
  private boolean greets() {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), LOOK_MILLIS);
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.getOutputStream().write(GREETING);
      return socket.getInputStream().read() == METHOD_FRAME;
    } catch (IOException _) {
      return false;
    }
  }

  /// None of the machine's own settings, files and ports.
  private Map<String, String> environment() {
    return Map.ofEntries(
        Map.entry("HOME", folder.toString()),
        Map.entry("RABBITMQ_NODENAME", "tuntas-test-" + port + "@localhost"),
        Map.entry("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1"),
        Map.entry("RABBITMQ_NODE_PORT", Integer.toString(port)),
        Map.entry("RABBITMQ_DIST_PORT", Integer.toString(nodesPort)),
        Map.entry(
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}"),
        Map.entry("RABBITMQ_MNESIA_BASE", folder.resolve("data").toString()),
        Map.entry("RABBITMQ_LOG_BASE", folder.resolve("logs").toString()),
        Map.entry("RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("plugins").toString()),
        Map.entry("RABBITMQ_CONFIG_FILE", folder.resolve("no-config").toString()),
        Map.entry("RABBITMQ_CONFIG_FILES", folder.resolve("no-more-config").toString()),
        Map.entry("RABBITMQ_ADVANCED_CONFIG_FILE", folder.resolve("no-advanced").toString()),
        Map.entry("RABBITMQ_CONF_ENV_FILE", folder.resolve("no-environment").toString()),
        Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1"),
        Map.entry("ERL_EPMD_PORT", Integer.toString(namesPort)));
  }

  /// What an operator tells it with `rabbitmqctl`.
  public void control(String... words) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(program.resolveSibling("rabbitmqctl").toString());
    command.addAll(List.of(words));
    var log = folder.resolve("rabbitmqctl.log");
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment());
    if (builder.start().waitFor() != 0) {
      throw new IOException("RabbitMQ refused " + command + ":\n" + Files.readString(log));
    }
  }

  /// As an operator does; what was confirmed is there when it begins again.
  public void stop() throws InterruptedException {
    var running = node;
    if (running == null) return;
    running.destroy();
    if (running.waitFor(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) return;
    kill(running);
    running.waitFor();
  }

  private void kill() {
    if (node != null) kill(node);
    kill(names);
  }

  private static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  @Override
  public void close() throws InterruptedException {
    stop();
    kill();
    names.waitFor();
  }
}
