package dev.tuntas.adapters.bus;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The RabbitMQ that is installed on this machine, as a process of its own with its data in a
/// folder of the test. It listens on loopback only.
final class TestRabbit implements AutoCloseable {

  /// Where Debian's package has its versions; the command in `/usr/sbin` would change the user.
  private static final Path INSTALLED = Path.of("/usr/lib/rabbitmq/lib");

  private static final Duration START_WITHIN = Duration.ofSeconds(90);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(30);

  private final Path program;
  private final Path folder;
  private final int port = Loopback.freePort();
  private final int names = Loopback.freePort();
  private Process process;

  private TestRabbit(Path program, Path folder) throws IOException {
    this.program = program;
    this.folder = folder;
  }

  /// Nothing if none is installed.
  static Optional<TestRabbit> start(Path folder) throws Exception {
    var program = installed();
    if (program.isEmpty()) return Optional.empty();
    var rabbit = new TestRabbit(program.get(), folder);
    try {
      rabbit.begin();
    } catch (IOException | InterruptedException e) {
      rabbit.close();
      throw e;
    }
    return Optional.of(rabbit);
  }

  private static Optional<Path> installed() throws IOException {
    if (!Files.isDirectory(INSTALLED)) return Optional.empty();
    try (var versions = Files.list(INSTALLED)) {
      return versions
          .map(version -> version.resolve("sbin/rabbitmq-server"))
          .filter(Files::isExecutable)
          .max(Path::compareTo);
    }
  }

  URI url() {
    return URI.create("amqp://guest:guest@127.0.0.1:" + port);
  }

  private void begin() throws IOException, InterruptedException {
    var log = folder.resolve("rabbitmq.log");
    var builder =
        new ProcessBuilder(program.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment());
    process = builder.start();
    process.getOutputStream().close();
    long end = System.nanoTime() + START_WITHIN.toNanos();
    while (!Loopback.answers(port)) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new IOException("RabbitMQ did not start:\n" + Files.readString(log));
      }
      process.waitFor(100, TimeUnit.MILLISECONDS);
    }
  }

  private Map<String, String> environment() throws IOException {
    return Map.ofEntries(
        Map.entry("HOME", folder.toString()),
        Map.entry("RABBITMQ_NODENAME", "tuntas-test-" + port + "@localhost"),
        Map.entry("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1"),
        Map.entry("RABBITMQ_NODE_PORT", Integer.toString(port)),
        Map.entry("RABBITMQ_DIST_PORT", Integer.toString(Loopback.freePort())),
        Map.entry(
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}"),
        Map.entry("RABBITMQ_MNESIA_BASE", folder.resolve("data").toString()),
        Map.entry("RABBITMQ_LOG_BASE", folder.resolve("logs").toString()),
        Map.entry("RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("plugins").toString()),
        Map.entry("RABBITMQ_CONFIG_FILE", folder.resolve("none").toString()),
        Map.entry("RABBITMQ_CONF_ENV_FILE", folder.resolve("none-either").toString()),
        Map.entry("ERL_EPMD_ADDRESS", "127.0.0.1"),
        Map.entry("ERL_EPMD_PORT", Integer.toString(names)));
  }

  /// The server that knows the names of Erlang's nodes goes on by itself, and ends when it is told.
  @Override
  public void close() throws IOException, InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    var end = new ProcessBuilder("epmd", "-kill");
    end.environment().put("ERL_EPMD_PORT", Integer.toString(names));
    end.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
  }
}
