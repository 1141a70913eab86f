package dev.tuntas.bench.cluster;

import dev.tuntas.bench.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Locale;

/// A Redis server out of a jar. It keeps nothing on disk: whoever restarts it finds it empty.
public final class RedisProcess implements AutoCloseable {

  private static final String VERSION = "7.0.15";
  private static final Duration START_WITHIN = Duration.ofSeconds(20);
  private static final Duration LOOK_AGAIN = Duration.ofMillis(20);
  private static final int ANSWER_WITHIN_MILLIS = 2_000;

  private final Path folder;
  private final Path log;
  private final int port;
  private final Guardian guardian;
  private Process process;

  private RedisProcess(Path folder, Path log, int port, Guardian guardian) {
    this.folder = folder;
    this.log = log;
    this.port = port;
    this.guardian = guardian;
    this.process = launch();
  }

  public static RedisProcess start(Path folder, Path log, int port, Guardian guardian)
      throws InterruptedException {
    var redis = new RedisProcess(folder, log, port, guardian);
    redis.await();
    return redis;
  }

  private Process launch() {
    try {
      var started =
          new ProcessBuilder(
                  program().toString(),
                  "--bind",
                  "127.0.0.1",
                  "--port",
                  Integer.toString(port),
                  "--dir",
                  folder.toString(),
                  "--save",
                  "",
                  "--maxmemory",
                  "64mb")
              .redirectErrorStream(true)
              .redirectOutput(Redirect.appendTo(log.toFile()))
              .start();
      guardian.watch(started.toHandle(), Guardian.Signal.KILL);
      return started;
    } catch (IOException e) {
      throw new UncheckedIOException("start Redis", e);
    }
  }

  /// Taken out of the jar the first time.
  private Path program() throws IOException {
    var program = folder.resolve("redis-server");
    if (Files.isExecutable(program)) return program;
    Files.createDirectories(folder);
    var resource = "/redis-server-" + VERSION + "-" + platform();
    try (var in = redis.embedded.RedisServer.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new BenchException(
            "there is no Redis for " + platform() + ": name one with --redis, or use --no-redis");
      }
      Files.copy(in, program, StandardCopyOption.REPLACE_EXISTING);
    }
    if (!program.toFile().setExecutable(true)) throw new IOException("cannot run " + program);
    return program;
  }

  private static String platform() {
    var system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    var chip = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return (system.startsWith("mac") ? "darwin" : "linux")
        + (chip.equals("aarch64") || chip.equals("arm64") ? "-arm64" : "-amd64");
  }

  private void await() throws InterruptedException {
    long end = System.nanoTime() + START_WITHIN.toNanos();
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        throw new BenchException("Redis did not start: see " + log);
      }
      Thread.sleep(LOOK_AGAIN);
    }
  }

  private boolean answers() {
    try {
      return ask("PING").equals("+PONG");
    } catch (IOException _) {
      return false;
    }
  }

  private String ask(String command) throws IOException {
    try (var socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_WITHIN_MILLIS);
      socket.setSoTimeout(ANSWER_WITHIN_MILLIS);
      socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
      var lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
      var line = lines.readLine();
      return line == null ? "" : line;
    }
  }

  public String url() {
    return "redis://127.0.0.1:" + port;
  }

  long pid() {
    return process.pid();
  }

  /// Forgets everything.
  public void flush() {
    tell("FLUSHALL");
  }

  /// Keeps what it has, and takes nothing more.
  public void fill() {
    tell("CONFIG SET maxmemory-policy noeviction");
    tell("CONFIG SET maxmemory 1");
  }

  private void tell(String command) {
    try {
      var told = ask(command);
      if (!told.equals("+OK")) throw new BenchException("Redis refused " + command + ": " + told);
    } catch (IOException e) {
      throw new UncheckedIOException("tell Redis: " + command, e);
    }
  }

  /// Ends it without a warning and starts it again, empty.
  public void restart() throws InterruptedException {
    process.destroyForcibly().waitFor();
    process = launch();
    await();
  }

  @Override
  public void close() {
    process.destroy();
  }
}
