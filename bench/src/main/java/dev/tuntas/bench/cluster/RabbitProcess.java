package dev.tuntas.bench.cluster;

import dev.tuntas.bench.BenchException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/// A node of the RabbitMQ that is installed on this machine, with a name, ports, data and logs of
/// its own.
public final class RabbitProcess implements AutoCloseable {

  /// Where packages put the program itself. The one on the path may be a wrapper that changes the
  /// user, so that it comes second.
  private static final Path PACKAGED = Path.of("/usr/lib/rabbitmq/bin");

  private static final String PROGRAM = "rabbitmq-server";
  private static final String DELETE_ALL =
      "[rabbit_amqqueue:delete(Q, false, false, <<\"somebody\">>) || Q <- rabbit_amqqueue:list()].";

  private static final byte[] GREETING = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
  private static final int METHOD_FRAME = 1;
  private static final int ANSWER_MILLIS = 1_000;
  private static final Duration START_WITHIN = Duration.ofMinutes(2);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(30);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  private final Path program;
  private final Path folder;
  private final Path log;
  private final int port;
  private final int namesPort;
  private final int nodesPort;
  private final Guardian guardian;
  private final Process names;
  private Process node;

  private RabbitProcess(Path program, Path folder, Path log, IntSupplier ports, Guardian guardian) {
    this.program = program;
    this.folder = folder;
    this.log = log;
    this.port = ports.getAsInt();
    this.namesPort = ports.getAsInt();
    this.nodesPort = ports.getAsInt();
    this.guardian = guardian;
    // Erlang's server of names is started here, because one that a node starts outlives it.
    this.names = run("epmd", "-address", "127.0.0.1", "-port", Integer.toString(namesPort));
    this.node = run(program.toString());
  }

  /// The program, if it is installed.
  public static Optional<Path> installed() {
    var path = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator);
    return Stream.concat(Stream.of(PACKAGED), Arrays.stream(path).map(Path::of))
        .map(directory -> directory.resolve(PROGRAM))
        .filter(Files::isExecutable)
        .findFirst();
  }

  public static RabbitProcess start(Path folder, Path log, IntSupplier ports, Guardian guardian)
      throws InterruptedException {
    var program =
        installed()
            .orElseThrow(
                () -> new BenchException("RabbitMQ is not installed: there is no " + PROGRAM));
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("make RabbitMQ's folder", e);
    }
    var rabbit = new RabbitProcess(program, folder, log, ports, guardian);
    rabbit.await();
    return rabbit;
  }

  private Process run(String... command) {
    var builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment());
    try {
      var started = builder.start();
      guardian.watch(started.toHandle(), Guardian.Signal.KILL);
      started.getOutputStream().close();
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException("start " + command[0], e);
    }
  }

  /// None of the machine's own settings, files and ports.
  private Map<String, String> environment() {
    return Map.ofEntries(
        Map.entry("HOME", folder.toString()),
        Map.entry("RABBITMQ_NODENAME", "tuntas-" + port + "@localhost"),
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

  private void await() throws InterruptedException {
    long end = System.nanoTime() + START_WITHIN.toNanos();
    while (!greets()) {
      if (!node.isAlive() || System.nanoTime() > end) {
        throw new BenchException("RabbitMQ did not start: see " + log);
      }
      Thread.sleep(LOOK_AGAIN);
    }
    // What the script has started would outlive it.
    node.descendants().forEach(it -> guardian.watch(it, Guardian.Signal.KILL));
  }

  /// An open port is not enough: it must speak.
  private boolean greets() {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MILLIS);
      socket.setSoTimeout(ANSWER_MILLIS);
      socket.getOutputStream().write(GREETING);
      return socket.getInputStream().read() == METHOD_FRAME;
    } catch (IOException _) {
      return false;
    }
  }

  public String url() {
    return "amqp://guest:guest@127.0.0.1:" + port;
  }

  long pid() {
    return node.pid();
  }

  /// Ends it without a warning and starts it again.
  public synchronized void killAndStart() throws InterruptedException {
    kill();
    node = run(program.toString());
    await();
  }

  /// Asks it to end and starts it again.
  public synchronized void restart() throws InterruptedException {
    stop();
    node = run(program.toString());
    await();
  }

  /// Deletes queues with all that waits in them, as an operator could by mistake. Those that are
  /// not there are passed over.
  public synchronized void delete(List<String> queues) throws InterruptedException {
    for (var queue : queues) {
      run(program.resolveSibling("rabbitmqctl").toString(), "delete_queue", queue).waitFor();
    }
  }

  /// Deletes all queues.
  public synchronized void deleteAll() throws InterruptedException {
    var control = program.resolveSibling("rabbitmqctl").toString();
    if (run(control, "eval", DELETE_ALL).waitFor() != 0) {
      throw new BenchException("the queues were not deleted: see " + log);
    }
  }

  /// How much of the machine's memory it may have before it takes no more messages.
  public synchronized void memoryShare(String share) throws InterruptedException {
    var control = program.resolveSibling("rabbitmqctl").toString();
    if (run(control, "set_vm_memory_high_watermark", share).waitFor() != 0) {
      throw new BenchException("RabbitMQ was given no other limit: see " + log);
    }
  }

  private void kill() throws InterruptedException {
    var all = new ArrayList<>(node.descendants().toList());
    node.destroyForcibly().waitFor();
    all.forEach(ProcessHandle::destroyForcibly);
    for (var one : all) one.onExit().join();
  }

  private void stop() throws InterruptedException {
    node.destroy();
    if (!node.waitFor(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) kill();
  }

  @Override
  public synchronized void close() {
    try {
      stop();
      names.destroyForcibly().waitFor();
    } catch (InterruptedException _) {
      node.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
