package dev.tuntas.bench.http;

import dev.tuntas.bench.BenchException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Whoever runs the server: decides how the simulated partner behaves, and reads the metrics.
final class Operator implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String HEAP = "jvm_memory_used_bytes{area=\"heap\"";
  private static final int OK = 200;

  /// What the partner was asked since it started.
  record Traffic(long calls, int highestPerSecond, long violations) {}

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI server;
  private final String adminKey;

  Operator(URI server, String adminKey) {
    this.server = server;
    this.adminKey = adminKey;
  }

  void setPartner(String manners) throws InterruptedException {
    put("/sim/bbd", manners);
  }

  void setFlags(String flags) throws InterruptedException {
    put("/api/v1/admin/flags", flags);
  }

  Traffic traffic() throws InterruptedException {
    var told = get("/sim/bbd/traffic");
    return new Traffic(
        told.get("calls").asLong(),
        told.get("highest_per_second").asInt(),
        told.get("violations").asLong());
  }

  /// What the server's heap holds, garbage or not.
  long heapBytes() throws InterruptedException {
    return (long)
        text(asked("/actuator/prometheus").GET())
            .lines()
            .filter(line -> line.startsWith(HEAP))
            .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
            .sum();
  }

  private JsonNode get(String path) throws InterruptedException {
    return JsonMapper.shared().readTree(text(asked(path).GET()));
  }

  private void put(String path, String body) throws InterruptedException {
    var request = asked(path).header("Content-Type", "application/json");
    text(request.PUT(BodyPublishers.ofString(body)));
  }

  private HttpRequest.Builder asked(String path) {
    return HttpRequest.newBuilder(server.resolve(path))
        .timeout(PATIENCE)
        .header("Authorization", "Bearer " + adminKey);
  }

  private String text(HttpRequest.Builder asked) throws InterruptedException {
    var request = asked.build();
    try {
      var answer = http.send(request, BodyHandlers.ofString());
      if (answer.statusCode() == OK) return answer.body();
      throw new BenchException(
          request.uri() + " answered " + answer.statusCode() + ": " + answer.body());
    } catch (IOException e) {
      throw new BenchException(request.uri() + " did not answer: " + e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
