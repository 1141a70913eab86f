package dev.tuntas.bench.faults;

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

/// What an administrator asks of the server.
record Admin(URI server) {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  static Admin of(Rig rig) {
    return new Admin(rig.address().orElseThrow());
  }

  /// Trips take a second or two, so that nobody has to wait for them.
  void hurry() throws IOException, InterruptedException {
    put(
        "/sim/bbd",
        """
        {"assign_delay_ms":[100,300],"callback_delay_ms":[100,300],"search_ms":[100,300],\
        "pick_up_ms":[200,500],"trip_ms":[300,900]}\
        """);
  }

  void put(String path, String body) throws IOException, InterruptedException {
    send(
        request(path)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(body)));
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return JsonMapper.shared().readTree(send(request(path)));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(server.resolve(path))
        .timeout(PATIENCE)
        .header("Authorization", "Bearer " + Rig.ADMIN_KEY);
  }

  private static String send(HttpRequest.Builder builder) throws IOException, InterruptedException {
    var request = builder.build();
    try (var http = HttpClient.newHttpClient()) {
      var answer = http.send(request, BodyHandlers.ofString());
      if (answer.statusCode() == 200) return answer.body();
      throw new BenchException(
          request.uri() + " was answered with " + answer.statusCode() + ": " + answer.body());
    }
  }
}
