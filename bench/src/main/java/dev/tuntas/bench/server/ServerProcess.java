package dev.tuntas.bench.server;

import dev.tuntas.bench.BenchException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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
  private volatile CountDownLatch unread = new CountDownLatch(0);

  private ServerProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
    follow(process);
  }

  /// Starts one on a free port, which ends when we end in order.
  public static ServerProcess start(ServerProgram program, Path output, List<String> arguments) {
    var started = start(program, output, new Launch(0, arguments, Map.of()));
    endWithUs(started.process);
    return started;
  }

  /// What one is started with besides its program.
  ///
  /// @param port 0 takes a free one
  /// @param environment variables besides our own: what nobody may read from a list of processes
  public record Launch(int port, List<String> arguments, Map<String, String> environment) {}

  /// Starts one that somebody else takes care of.
  public static ServerProcess start(ServerProgram program, Path output, Launch launch) {
    var command = new ArrayList<>(program.command());
    command.addAll(List.of("--port", Integer.toString(launch.port)));
    command.addAll(launch.arguments);
    try {
      var builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(launch.environment);
      var process = builder.start();
      process.getOutputStream().close();
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

  /// A virtual thread would keep its carrier while it waits for a line, and ten processes are more
  /// than there are carriers.
  private void follow(Process process) {
    Thread.ofPlatform().daemon().name("output of server " + process.pid()).start(this::copyOutput);
  }

  private void copyOutput() {
    try (var lines = new BufferedReader(process.inputReader(StandardCharsets.UTF_8));
        var log =
            Files.newBufferedWriter(output, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        heard(line, log);
        unread.await();
      }
    } catch (IOException _) {
      // It was killed in the middle of a line.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
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
    } catch (ExecutionException _) {
      throw new BenchException("the server ended; its output is in " + output);
    } catch (TimeoutException _) {
      throw new BenchException(
          "the server was not up after " + atMost.toSeconds() + " s; its output is in " + output);
    }
  }

  /// Reads no more of what it prints, until [#readAgain].
  public void stopReading() {
    unread = new CountDownLatch(1);
  }

  public void readAgain() {
    unread.countDown();
  }

  public ProcessHandle handle() {
    return process.toHandle();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /// How long it took to be up.
  public Duration startTime() {
    return Duration.ofNanos(readyAt - startedAt);
  }

  /// How much time of the processors it has used.
  public Duration cpu() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  /// Lets it throw away what it does not need, so that what is left is what it needs.
  public void collectGarbage() throws InterruptedException {
    var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    try {
      var asked =
          new ProcessBuilder(jcmd, Long.toString(process.pid()), "GC.run")
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
      if (!asked.waitFor(STOP_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) asked.destroyForcibly();
    } catch (IOException e) {
      throw new UncheckedIOException("run " + jcmd, e);
    }
  }

  /// Ends it without a warning, as `kill -9` does.
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /// Asks it to end, and waits. True if it has, in time and in order.
  public boolean stop() throws InterruptedException {
    askToEnd();
    return ended(STOP_WITHIN);
  }

  /// Asks it to end. What it says until then is still heard: [Process#destroy] would stop
  /// listening.
  public void askToEnd() {
    process.toHandle().destroy();
  }

  /// Waits for the end of one that was asked to, and kills it if it does not come. True if it has
  /// ended in time and in order.
  public boolean ended(Duration atMost) throws InterruptedException {
    if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
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
