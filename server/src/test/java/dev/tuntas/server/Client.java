package dev.tuntas.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/// Calls a server with a key.
public record Client(String address, String key) {

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  public Client(TestServer server, String key) {
    this(server.url(""), key);
  }

  public static Client admin() {
    return new Client(TestServer.running(), TestServer.ADMIN_KEY);
  }

  public static Client client() {
    return new Client(TestServer.running(), TestServer.CLIENT_KEY);
  }

  public static Client nobody() {
    return new Client(TestServer.running(), "");
  }

  public Client with(String otherKey) {
    return new Client(address, otherKey);
  }

  public Answer get(String path, String... headers) {
    return send("GET", path, "", headers);
  }

  public Answer post(String path, String body, String... headers) {
    return send("POST", path, body, headers);
  }

  public Answer send(String method, String path, String body, String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create(address + path))
            .timeout(Duration.ofSeconds(60))
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!key.isEmpty()) request.header("Authorization", "Bearer " + key);
    if (!body.isEmpty()) request.setHeader("Content-Type", "application/json");
    for (int i = 0; i < headers.length; i += 2) request.setHeader(headers[i], headers[i + 1]);
    try {
      var response = HTTP.send(request.build(), BodyHandlers.ofString());
      return new Answer(response.statusCode(), response);
    } catch (IOException e) {
      throw new IllegalStateException(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
