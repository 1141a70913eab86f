package dev.tuntas.server;

import java.net.http.HttpResponse;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What the server answered, as tests look at it.
public record Answer(int status, HttpResponse<String> response) {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  public String body() {
    return response.body();
  }

  public JsonNode json() {
    return JSON.readTree(body());
  }

  public Optional<String> header(String name) {
    return response.headers().firstValue(name);
  }

  /// The code of a problem, or nothing.
  public String code() {
    return header("Content-Type").orElse("").contains("json") && !body().isEmpty()
        ? json().path("code").asString("")
        : "";
  }
}
