package dev.tuntas.bench.cluster;

import dev.tuntas.bench.BenchException;
import dev.tuntas.bench.server.ServerProcess;
import dev.tuntas.bench.server.ServerProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// One of our processes: it keeps its name, its port and its settings from life to life.
public final class Member {

  private static final Duration START_WITHIN = Duration.ofMinutes(3);

  private final String name;
  private final Kind kind;
  private final ServerProgram program;
  private final ServerProcess.Launch launch;
  private final Path log;
  private final Guardian guardian;
  private volatile @Nullable ServerProcess process;
  private volatile boolean up;

  Member(
      String name,
      Kind kind,
      ServerProgram program,
      ServerProcess.Launch launch,
      Path log,
      Guardian guardian) {
    this.name = name;
    this.kind = kind;
    this.program = program;
    this.launch = launch;
    this.log = log;
    this.guardian = guardian;
  }

  public String name() {
    return name;
  }

  public Kind kind() {
    return kind;
  }

  public Path log() {
    return log;
  }

  /// Where it listens, while it does.
  public URI address() {
    return URI.create("http://127.0.0.1:" + launch.port());
  }

  /// Whether it listens, as far as we know.
  public boolean isUp() {
    var now = process;
    return up && now != null && now.isAlive();
  }

  /// Whether it runs, or is about to.
  public boolean isAlive() {
    var now = process;
    return now != null && now.isAlive();
  }

  public OptionalLong pid() {
    var now = process;
    return now == null ? OptionalLong.empty() : OptionalLong.of(now.handle().pid());
  }

  /// Begins a life.
  public void launch() {
    var started = ServerProcess.start(program, log, launch);
    guardian.watch(started.handle(), Guardian.Signal.KILL);
    process = started;
  }

  /// Waits until it listens.
  public void await() throws InterruptedException {
    var started = running();
    try {
      started.await(START_WITHIN);
      up = started == process;
    } catch (BenchException e) {
      throw new BenchException(name + ": " + e.getMessage(), e);
    }
  }

  /// Begins a life and waits until it listens.
  public void start() throws InterruptedException {
    launch();
    await();
  }

  /// Ends it without a warning, as `kill -9` does.
  public void kill() throws InterruptedException {
    up = false;
    running().kill();
  }

  /// Stops its time.
  public void pause() throws InterruptedException {
    signal("STOP");
  }

  /// Lets its time go on.
  public void goOn() throws InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws InterruptedException {
    try {
      var pid = Long.toString(running().handle().pid());
      new ProcessBuilder("kill", "-" + name, pid).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException("send a signal", e);
    }
  }

  /// Asks it to end, if it runs.
  void askToEnd() {
    up = false;
    var now = process;
    if (now != null) now.askToEnd();
  }

  /// Waits for the end of one that was asked to, and kills it if it does not come. True if it has
  /// ended in time and in order.
  boolean ended(Duration atMost) throws InterruptedException {
    var now = process;
    return now == null || now.ended(atMost);
  }

  private ServerProcess running() {
    var now = process;
    if (now == null) throw new IllegalStateException(name + " was never started");
    return now;
  }
}
