package dev.tuntas.server.services;

import dev.tuntas.adapters.http.ServiceClient;
import dev.tuntas.adapters.http.ServiceSettings;
import dev.tuntas.server.Main;
import dev.tuntas.server.settings.SettingsReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FilterType;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A real server with the services and what every request passes, with or without the orders.
final class ServicesServer implements AutoCloseable {

  static final String SERVICE_KEY = "service-key-of-the-test";
  static final String ADMIN_KEY = "admin-key-of-the-test";
  static final String CLIENT_KEY = "client-key-of-the-test";

  /// What the simulated partners are called with.
  static final String PARTNER_KEY = "partner-key-of-the-test";

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @ComponentScan({
    "dev.tuntas.server.access",
    "dev.tuntas.server.http",
    "dev.tuntas.server.load",
    "dev.tuntas.server.services"
  })
  @ComponentScan(
      basePackages = "dev.tuntas.server.wiring",
      excludeFilters =
          @Filter(
              type = FilterType.REGEX,
              pattern = ".*\\.wiring\\.(?!(Store|Web|Access|Tomcat|Health)Wiring$).*"))
  static class Services {}

  /// An answer, as far as tests look at it.
  record Answer(int status, HttpResponse<String> response, JsonNode json) {
    String code() {
      return json.path("code").asString("");
    }
  }

  private final ServletWebServerApplicationContext context;
  private final HttpClient http = HttpClient.newHttpClient();
  private final ServiceClient client;

  private ServicesServer(ServletWebServerApplicationContext context) {
    this.context = context;
    this.client = new ServiceClient(ServiceSettings.of(url(), SERVICE_KEY));
  }

  private static ServicesServer shared;

  /// One for all tests that do not mind each other.
  static synchronized ServicesServer shared() {
    if (shared != null) return shared;
    try {
      var data = Files.createTempDirectory("tuntas-services");
      shared =
          start(
              data,
              "--tuntas.partners.bbd.credential=" + PARTNER_KEY,
              "--tuntas.partners.bank.credential=" + PARTNER_KEY);
      Runtime.getRuntime()
          .addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(data.toFile())));
      return shared;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static ServicesServer start(Path data, String... more) {
    var application = new SpringApplication(Services.class);
    application.addInitializers(new SettingsReader());
    return start(application, data, more);
  }

  /// With the orders, too.
  static ServicesServer withOrders(Path data, String... more) {
    return start(Main.application(), data, more);
  }

  private static ServicesServer start(SpringApplication application, Path data, String... more) {
    var arguments =
        new ArrayList<>(
            List.of(
                "--tuntas.port=0",
                "--tuntas.data=" + data,
                "--tuntas.credentials.service-key=" + SERVICE_KEY,
                "--tuntas.credentials.admin-key=" + ADMIN_KEY,
                "--tuntas.credentials.client-key=" + CLIENT_KEY));
    arguments.addAll(List.of(more));
    var context = application.run(arguments.toArray(String[]::new));
    return new ServicesServer((ServletWebServerApplicationContext) context);
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + context.getWebServer().getPort());
  }

  <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /// A client with the key of a service.
  ServiceClient client() {
    return client;
  }

  Answer get(String path, String key) {
    return send(request(path, key).GET());
  }

  Answer put(String path, String key, String body) {
    return send(
        request(path, key)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(body.replace('\'', '"'))));
  }

  /// With a key of idempotency, or without.
  Answer post(String path, String idempotencyKey, String body) {
    return postBy(SERVICE_KEY, path, idempotencyKey, body);
  }

  Answer postBy(String key, String path, String idempotencyKey, String body) {
    var request = request(path, key).POST(BodyPublishers.ofString(body.replace('\'', '"')));
    if (!body.isEmpty()) request.header("Content-Type", "application/json");
    if (idempotencyKey != null) request.header("Idempotency-Key", idempotencyKey);
    return send(request);
  }

  /// Places an order and waits for its end.
  Answer order(String idempotencyKey, String body) {
    return send(
        request("/api/v1/orders", CLIENT_KEY)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", idempotencyKey)
            .header("Prefer", "wait=20")
            .POST(BodyPublishers.ofString(body.replace('\'', '"'))));
  }

  private HttpRequest.Builder request(String path, String key) {
    return HttpRequest.newBuilder(URI.create(url() + path))
        .header("Authorization", "Bearer " + key);
  }

  private Answer send(HttpRequest.Builder request) {
    try {
      var response = http.send(request.build(), BodyHandlers.ofString());
      var json = new JsonMapper().readTree(response.body().isEmpty() ? "{}" : response.body());
      return new Answer(response.statusCode(), response, json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    client.close();
    http.shutdownNow();
    context.close();
  }
}
