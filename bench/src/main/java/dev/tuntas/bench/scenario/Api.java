package dev.tuntas.bench.scenario;

import dev.tuntas.bench.BenchException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A running server, as a client and as its administrator reach it. It is asked by so many at once,
/// and no more.
final class Api implements AutoCloseable {

  /// The keys of a client and of an administrator.
  record Keys(String client, String admin) {

    /// From the environment, or as the server wrote them into its data folder.
    static Keys of(Map<String, String> environment, Path data) throws IOException {
      var file = data.resolve("credentials.properties");
      var kept = new Properties();
      if (Files.exists(file)) {
        try (var in = Files.newBufferedReader(file)) {
          kept.load(in);
        }
      }
      return new Keys(
          key(environment.get("TUNTAS_CLIENT_KEY"), kept.getProperty("client.key"), file),
          key(environment.get("TUNTAS_ADMIN_KEY"), kept.getProperty("admin.key"), file));
    }

    private static String key(@Nullable String given, @Nullable String kept, Path file) {
      if (given != null) return given;
      if (kept != null) return kept;
      throw new BenchException(
          "there are no keys: set TUNTAS_CLIENT_KEY and TUNTAS_ADMIN_KEY, or name the server's"
              + " data folder with --data (there is no "
              + file
              + ")");
    }
  }

  /// @param retryAfter what a refusal asks for
  record Answer(int status, String body, Duration retryAfter) {

    JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }
  }

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int AT_ONCE = 64;

  private final URI server;
  private final Keys keys;
  private final Semaphore permits = new Semaphore(AT_ONCE);
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  Api(URI server, Keys keys) {
    this.server = server;
    this.keys = keys;
  }

  Answer place(String key, String body) throws InterruptedException, IOException {
    return send(
        request("/api/v1/orders", keys.client)
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body)));
  }

  Answer look(String orderId) throws InterruptedException, IOException {
    return send(request("/api/v1/orders/" + orderId, keys.client).GET());
  }

  /// What an administrator reads; anything but 200 ends the run.
  String read(String path) throws InterruptedException, IOException {
    return required(path, send(request(path, keys.admin).GET()));
  }

  /// What an administrator changes; anything but 200 ends the run.
  void change(String path, Object to) throws InterruptedException, IOException {
    var body = BodyPublishers.ofString(JsonMapper.shared().writeValueAsString(to));
    required(path, send(request(path, keys.admin).PUT(body)));
  }

  private static String required(String path, Answer answer) {
    if (answer.status == 200) return answer.body;
    throw new BenchException(path + " was answered with " + answer.status + ": " + answer.body);
  }

  private HttpRequest.Builder request(String path, String key) {
    return HttpRequest.newBuilder(server.resolve(path))
        .timeout(PATIENCE)
        .header("Content-Type", "application/json")
        .header("Authorization", "Bearer " + key);
  }

  private Answer send(HttpRequest.Builder request) throws InterruptedException, IOException {
    permits.acquire();
    try {
      var answer = http.send(request.build(), BodyHandlers.ofString());
      return new Answer(answer.statusCode(), answer.body(), retryAfter(answer));
    } finally {
      permits.release();
    }
  }

  private static Duration retryAfter(HttpResponse<?> answer) {
    return Duration.ofSeconds(answer.headers().firstValueAsLong("Retry-After").orElse(1));
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
