package dev.tuntas.bench.chaos;

import dev.tuntas.bench.BenchException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import tools.jackson.databind.json.JsonMapper;

/// The keys of the clients: the one that the server has made for itself, and some more.
public final class Keys {

  private Keys() {}

  static List<String> of(Path data, URI server, int clients)
      throws IOException, InterruptedException {
    var credentials = new Properties();
    try (var file = Files.newBufferedReader(data.resolve("credentials.properties"))) {
      credentials.load(file);
    }
    var client = credentials.getProperty("client.key");
    return of(client, credentials.getProperty("admin.key"), server, clients);
  }

  public static List<String> of(String client, String admin, URI server, int clients)
      throws IOException, InterruptedException {
    var keys = new ArrayList<String>();
    keys.add(client);
    try (var http = HttpClient.newHttpClient()) {
      for (int i = 1; i < clients; i++) keys.add(make(http, server, admin, "shop-" + i));
    }
    return keys;
  }

  private static String make(HttpClient http, URI server, String adminKey, String client)
      throws IOException, InterruptedException {
    var body = "{\"client\":\"%s\",\"roles\":[\"client\"]}".formatted(client);
    var request =
        HttpRequest.newBuilder(server.resolve("/api/v1/admin/keys"))
            .header("Authorization", "Bearer " + adminKey)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 201) {
      throw new BenchException("no key was made: " + answer.statusCode() + " " + answer.body());
    }
    return JsonMapper.shared().readTree(answer.body()).get("key").stringValue();
  }
}
