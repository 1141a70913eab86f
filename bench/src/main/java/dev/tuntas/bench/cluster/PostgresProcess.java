package dev.tuntas.bench.cluster;

import dev.tuntas.bench.BenchException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// A PostgreSQL server out of a jar, with durable settings, which can be stopped and started.
public final class PostgresProcess implements AutoCloseable {

  /// How it is stopped.
  public enum Stop {
    /// Ends what is under way and writes everything down.
    FAST,
    /// Drops everything, as a crash would.
    IMMEDIATE
  }

  private static final Duration START_WITHIN = Duration.ofMinutes(2);
  private static final int SECONDS_MAX = 60;
  private static final int CONNECTIONS_MAX = 300;

  private final EmbeddedPostgres server;
  private final Path folder;
  private final Path log;
  private final Path programs;
  private final Guardian guardian;

  private PostgresProcess(EmbeddedPostgres server, Path folder, Path log, Guardian guardian)
      throws SQLException {
    this.server = server;
    this.folder = folder;
    this.log = log;
    this.guardian = guardian;
    this.programs = Path.of(ask("select setting from pg_config where name = 'BINDIR'"));
  }

  /// Starts one on loopback. What is in the folder from an earlier life stays.
  static PostgresProcess start(Path folder, Path log, int port, Guardian guardian) {
    return start(folder, log, port, guardian, Map.of());
  }

  /// @param settings more of them, or others than usual
  public static PostgresProcess start(
      Path folder, Path log, int port, Guardian guardian, Map<String, String> settings) {
    try {
      var builder =
          EmbeddedPostgres.builder()
              .setPort(port)
              .setDataDirectory(folder)
              .setCleanDataDirectory(false)
              .setRegisterShutdownHook(false)
              .setPGStartupWait(START_WITHIN)
              .setOutputRedirector(Redirect.appendTo(log.toFile()))
              .setErrorRedirector(Redirect.appendTo(log.toFile()))
              .setServerConfig("listen_addresses", "127.0.0.1")
              .setServerConfig("max_connections", Integer.toString(CONNECTIONS_MAX))
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setServerConfig("full_page_writes", "on");
      settings.forEach(builder::setServerConfig);
      var postgres = new PostgresProcess(builder.start(), folder, log, guardian);
      postgres.watch();
      return postgres;
    } catch (IOException | SQLException e) {
      throw new BenchException("PostgreSQL did not start: see " + log, e);
    }
  }

  private void watch() {
    guardian.watch(handle(), Guardian.Signal.QUIT);
  }

  /// The process that has started all others of it.
  public ProcessHandle handle() {
    return ProcessHandle.of(pid())
        .orElseThrow(() -> new BenchException("PostgreSQL does not run: see " + log));
  }

  long pid() {
    try (var lines = Files.lines(folder.resolve("postmaster.pid"))) {
      return Long.parseLong(lines.findFirst().orElseThrow().strip());
    } catch (IOException e) {
      throw new UncheckedIOException("read the number of PostgreSQL's process", e);
    }
  }

  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + server.getPort() + "/postgres?user=postgres";
  }

  /// Stops it and starts it again, with the same settings.
  public void restart(Stop how) throws InterruptedException {
    restart(how, Map.of());
  }

  /// @param environment more variables for the next life of it
  public void restart(Stop how, Map<String, String> environment) throws InterruptedException {
    var mode = how.name().toLowerCase(Locale.ROOT);
    run(environment, "-D", folder.toString(), "-m", mode, "-w", "-l", log.toString(), "restart");
    watch();
  }

  /// Starts it again if it has ended by itself.
  public void startIfDown() throws InterruptedException {
    boolean alive =
        Files.exists(folder.resolve("postmaster.pid"))
            && ProcessHandle.of(pid()).filter(ProcessHandle::isAlive).isPresent();
    if (!alive) restart(Stop.FAST);
  }

  /// Root may not run it, except as nobody of a space of its own.
  private void run(Map<String, String> environment, String... arguments)
      throws InterruptedException {
    var command = new ArrayList<String>();
    var user = ProcessHandle.current().info().user().orElse("");
    if (user.equals("root")) command.addAll(List.of("unshare", "-U"));
    command.add(programs.resolve("pg_ctl").toString());
    command.addAll(List.of(arguments));
    try {
      var builder =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.appendTo(log.toFile()));
      builder.environment().putAll(environment);
      var process = builder.start();
      if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new BenchException("PostgreSQL did not stop and start: see " + log);
      }
      if (process.exitValue() != 0) {
        throw new BenchException("PostgreSQL did not stop and start: see " + log);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("run pg_ctl", e);
    }
  }

  private String ask(String sql) throws SQLException {
    try (var connection = DriverManager.getConnection(url());
        var statement = connection.createStatement();
        var row = statement.executeQuery(sql)) {
      return row.next() ? row.getString(1) : "";
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException("stop PostgreSQL", e);
    }
  }
}
