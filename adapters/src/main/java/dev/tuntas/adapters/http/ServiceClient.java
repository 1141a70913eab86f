package dev.tuntas.adapters.http;

import dev.tuntas.saga.Outcome;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Asks a service, and tells what is certain from what is not. A connection that was never made
/// carried nothing; whatever goes wrong after that may have happened on the other side.
public final class ServiceClient implements AutoCloseable {

  private static final int BODY_BYTES_MAX = 64 << 10;
  private static final String NO_FILES_LEFT = "Too many open files";

  private final ServiceSettings settings;
  private final Supplier<Optional<String>> trace;
  private volatile HttpClient http;
  private boolean closed;

  public ServiceClient(ServiceSettings settings) {
    this(settings, Optional::empty);
  }

  /// @param trace the `traceparent` of what asks, if it is traced
  public ServiceClient(ServiceSettings settings, Supplier<Optional<String>> trace) {
    this.settings = settings;
    this.trace = trace;
    this.http = make();
  }

  private HttpClient make() {
    return HttpClient.newBuilder()
        .version(Version.HTTP_1_1)
        .followRedirects(Redirect.NEVER)
        .connectTimeout(settings.connectTimeout())
        .build();
  }

  /// One whose thread an error has ended would fail every call from then on.
  private HttpClient alive() {
    var current = http;
    return current.isTerminated() ? renewed() : current;
  }

  private synchronized HttpClient renewed() {
    if (http.isTerminated() && !closed) http = make();
    return http;
  }

  /// @param reader makes a value of the body of a success, or nothing if it does not fit
  <T> Outcome<T> post(
      String path, String key, ObjectNode body, Function<JsonNode, Optional<T>> reader) {
    return post(path, key, body, reader, ServiceClient::nobodyTells);
  }

  /// @param lookUp asks for the result of an earlier request, if the service says that there was
  ///   one
  <T> Outcome<T> post(
      String path,
      String key,
      ObjectNode body,
      Function<JsonNode, Optional<T>> reader,
      Supplier<Outcome<T>> lookUp) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body.toString()))
            .build(),
        reader,
        lookUp);
  }

  <T> Outcome<T> get(String path, Function<JsonNode, Optional<T>> reader) {
    return send(request(path).GET().build(), reader, ServiceClient::nobodyTells);
  }

  private static <T> Outcome<T> nobodyTells() {
    return Outcome.unclear("the service has done it before and does not say what came of it");
  }

  private HttpRequest.Builder request(String path) {
    var request = HttpRequest.newBuilder(settings.at(path)).header("Accept", "application/json");
    if (settings.key() != null) request.header("Authorization", "Bearer " + settings.key());
    trace.get().ifPresent(it -> request.header("traceparent", it));
    return request;
  }

  /// The client's own timeout would end with the headers; this one covers the body, too.
  private <T> Outcome<T> send(
      HttpRequest request, Function<JsonNode, Optional<T>> reader, Supplier<Outcome<T>> lookUp) {
    var limited = BodyHandlers.limiting(BodyHandlers.ofByteArray(), BODY_BYTES_MAX);
    var answer = alive().sendAsync(request, limited);
    try {
      var response = answer.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS);
      return reply(response).outcome(AnswerRules.STANDARD, reader, lookUp);
    } catch (TimeoutException _) {
      answer.cancel(true);
      return Outcome.unclear("no answer within " + settings.timeout());
    } catch (ExecutionException e) {
      return failed(e.getCause());
    } catch (InterruptedException _) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      return Outcome.unclear("interrupted while waiting for an answer");
    }
  }

  private static Reply reply(HttpResponse<byte[]> response) {
    var retryAfter = response.headers().firstValue("Retry-After").orElse(null);
    return new Reply(response.statusCode(), retryAfter, response.body());
  }

  private <T> Outcome<T> failed(@Nullable Throwable cause) {
    if (hasNoFilesLeft(cause)) {
      return Outcome.unavailableHere(
          "NOT_SENT", "This process has as many files and connections open as it may.");
    }
    if (cause instanceof Error || http.isTerminated()) return Outcome.unclearHere("" + cause);
    return switch (cause) {
      case HttpConnectTimeoutException _ ->
          Outcome.unavailable("not_connected", "The service does not take our connection.");
      case ConnectException e when e.getCause() instanceof UnresolvedAddressException ->
          Outcome.unavailable("host_unknown", "The service's address is unknown.");
      case ConnectException _ ->
          Outcome.unavailable("connection_refused", "The service is not there.");
      // The JDK's client also throws what is no IOException when an answer makes no sense.
      case null, default -> Outcome.unclear("the connection was lost: " + cause);
    };
  }

  /// Then no connection was made. The JDK's client throws it inside of an error.
  private static boolean hasNoFilesLeft(@Nullable Throwable cause) {
    for (var one = cause; one != null; one = one.getCause()) {
      if (one instanceof IOException && NO_FILES_LEFT.equals(one.getMessage())) return true;
    }
    return false;
  }

  /// Ends what is under way; it is then unclear.
  @Override
  public synchronized void close() {
    closed = true;
    http.shutdownNow();
  }
}
