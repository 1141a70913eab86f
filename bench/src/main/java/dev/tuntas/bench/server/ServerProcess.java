package dev.tuntas.bench.server;

import dev.tuntas.bench.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/// A server on loopback, in a process of its own. What it prints is added to a file.
public final class ServerProcess implements AutoCloseable {

  private static final Pattern RUNNING = Pattern.compile("Tuntas is running at (http://\\S+)");
  private static final Duration STOP_WITHIN = Duration.ofSeconds(30);

  /// What a process answers with that ended because it was asked to.
  private static final int TERMINATED = 128 + 15;

  private final Process process;
  private final Path output;
  private final long startedAt = System.nanoTime();
  private final CompletableFuture<URI> address = new CompletableFuture<>();
  private volatile long readyAt;

  private ServerProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
    Thread.ofVirtual().name("output of server " + process.pid()).start(this::follow);
  }

  /// Starts one on a free port.
  public static ServerProcess start(ServerProgram program, Path output, List<String> arguments) {
    var command = new ArrayList<>(program.command());
    command.addAll(List.of("--port", "0"));
    command.addAll(arguments);
    try {
      var process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      endWithUs(process);
      return new ServerProcess(process, output);
    } catch (IOException e) {
      throw new UncheckedIOException("start the server", e);
    }
  }

  private static void endWithUs(Process process) {
    var hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
    process
        .onExit()
        .thenRun(
            () -> {
              try {
                Runtime.getRuntime().removeShutdownHook(hook);
              } catch (IllegalStateException _) {
                // we are ending ourselves
              }
            });
  }

  private void follow() {
    try (var lines = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
        var log =
            Files.newBufferedWriter(output, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) heard(line, log);
    } catch (IOException _) {
      // It was killed in the middle of a line.
    } finally {
      address.completeExceptionally(new BenchException("the server ended: see " + output));
    }
  }

  private void heard(String line, Writer log) throws IOException {
    log.write(line + "\n");
    log.flush();
    var running = RUNNING.matcher(line);
    if (!running.find()) return;
    readyAt = System.nanoTime();
    address.complete(URI.create(running.group(1)));
  }

  /// Where it listens, once it does.
  public URI await(Duration atMost) throws InterruptedException {
    try {
      return address.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException _) {
      throw new BenchException(
          "the server was not up after " + atMost.toSeconds() + " s; its output is in " + output);
    }
  }

  /// How long it took to be up.
  public Duration startTime() {
    return Duration.ofNanos(readyAt - startedAt);
  }

  /// How much time of the processors it has used.
  public Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /// Ends it without a warning, as `kill -9` does.
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /// Asks it to end. True if it has, in time and in order.
  public boolean stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
      kill();
      return false;
    }
    return process.exitValue() == 0 || process.exitValue() == TERMINATED;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
