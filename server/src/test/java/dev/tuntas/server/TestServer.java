package dev.tuntas.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;

/// The whole server on a free port of this machine, with SQLite in a temporary folder: started by
/// the first test that asks for it, shared by all of this JVM, stopped with it.
public final class TestServer {

  public static final String CLIENT_KEY = "test-client-key-0123456789";
  public static final String ADMIN_KEY = "test-admin-key-0123456789";
  public static final String SERVICE_KEY = "test-service-key-0123456789";

  /// What a simulated partner in another process is called with.
  public static final String PARTNER_KEY = "test-partner-key-0123456789";

  /// A secret of the dispatch partner that was replaced and is still good.
  public static final String RETIRED_SECRET = "test-retired-secret-0123456789";

  private final Path data;
  private final ConfigurableApplicationContext context;

  private TestServer(Path data, List<String> settings) {
    this.data = data;
    var words = new ArrayList<>(settings);
    if (settings.stream().noneMatch(it -> it.startsWith("--tuntas.port="))) {
      words.add("--tuntas.port=0");
    }
    words.add("--tuntas.data=" + data);
    // What a test asks of a busy machine is not refused for that: shedding has tests of its own.
    words.add("--tuntas.load.in-flight-min=0");
    context = Main.application().run(words.toArray(String[]::new));
  }

  /// Another server, for tests that need one of their own; who starts it stops it.
  public static TestServer start(Path data, String... settings) {
    return new TestServer(data, List.of(settings));
  }

  private static final class Shared {

    static final TestServer SERVER = start();

    private static TestServer start() {
      try {
        var data = Files.createTempDirectory("tuntas-server");
        var server =
            TestServer.start(
                data,
                "--tuntas.credentials.client-key=" + CLIENT_KEY,
                "--tuntas.credentials.admin-key=" + ADMIN_KEY,
                "--tuntas.credentials.service-key=" + SERVICE_KEY,
                "--tuntas.partners.bbd.retired-secret=" + RETIRED_SECRET,
                "--tuntas.partners.bbd.retired-secret-until=2100-01-01T00:00:00Z");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(server)));
        return server;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void end(TestServer server) {
      server.stop();
      try (var files = Files.walk(server.data)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public static TestServer running() {
    return Shared.SERVER;
  }

  public int port() {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  public String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  public ConfigurableApplicationContext context() {
    return context;
  }

  public void stop() {
    context.close();
  }
}
