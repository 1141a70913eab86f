package dev.tuntas.testservers;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A real Redis, from Maven, that tests may kill, stop and fill with nonsense. Who starts it closes
/// it; it ends with this JVM in any case.
public final class TestRedis implements AutoCloseable {

  private static final String VERSION = "7.0.15";
  private static @Nullable Path program;

  private final int port = Loopback.freePort();
  private final RedisClient client = RedisClient.create(url().toString());
  private Process process;
  private StatefulRedisConnection<String, String> connection;

  private TestRedis() {
    begin();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> process.destroyForcibly()));
  }

  public static TestRedis start() {
    return new TestRedis();
  }

  /// Starts it again, empty, after it was killed.
  public void begin() {
    try {
      process =
          new ProcessBuilder(
                  program().toString(),
                  "--bind",
                  "127.0.0.1",
                  "--save",
                  "",
                  "--port",
                  Integer.toString(port))
              .redirectErrorStream(true)
              .redirectOutput(Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    connection = connected();
  }

  private StatefulRedisConnection<String, String> connected() {
    while (true) {
      try {
        return client.connect();
      } catch (RedisException e) {
        if (!process.isAlive()) throw e;
      }
    }
  }

  private static synchronized Path program() throws IOException {
    if (program != null) return program;
    var file = Files.createTempFile("redis-server", "");
    file.toFile().deleteOnExit();
    var resource = "/redis-server-" + VERSION + "-" + platform();
    try (var in = TestRedis.class.getResourceAsStream(resource)) {
      if (in == null) throw new IOException("there is no " + resource);
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    if (!file.toFile().setExecutable(true)) throw new IOException("cannot run " + file);
    program = file;
    return file;
  }

  private static String platform() {
    var system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    var chip = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    return (system.startsWith("mac") ? "darwin" : "linux")
        + (chip.equals("aarch64") || chip.equals("arm64") ? "-arm64" : "-amd64");
  }

  public URI url() {
    return URI.create("redis://127.0.0.1:" + port);
  }

  /// For tests that look into it, or change what is in it.
  public RedisCommands<String, String> commands() {
    return connection.sync();
  }

  public void kill() throws InterruptedException {
    connection.close();
    process.destroyForcibly().waitFor();
  }

  /// It accepts everything from now on and answers nothing.
  public void stopAnswering() throws Exception {
    signal("STOP");
  }

  public void goOn() throws Exception {
    signal("CONT");
  }

  private void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Override
  public void close() throws InterruptedException {
    kill();
    client.shutdown();
  }
}
