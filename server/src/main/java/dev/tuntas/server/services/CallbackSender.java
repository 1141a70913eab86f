package dev.tuntas.server.services;

import dev.tuntas.adapters.notify.WebhookSignature;
import dev.tuntas.rides.DispatchEvent;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import tools.jackson.databind.json.JsonMapper;

/// Tells what the simulated dispatch partner has to say, as a real one would: signed, over HTTP.
final class CallbackSender implements Consumer<DispatchEvent>, AutoCloseable {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Supplier<URI> url;
  private final WebhookSignature signature;
  private final InstantSource clock;
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT).build();

  /// @param url where the callbacks are awaited, once that is known
  CallbackSender(Supplier<URI> url, WebhookSignature signature, InstantSource clock) {
    this.url = url;
    this.signature = signature;
    this.clock = clock;
  }

  /// Who does not take it, or not in time, has not heard it.
  @Override
  public void accept(DispatchEvent event) {
    var body = body(event);
    long now = clock.instant().getEpochSecond();
    var request =
        HttpRequest.newBuilder(url.get())
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .header("webhook-id", event.deliveryId())
            .header("webhook-timestamp", Long.toString(now))
            .header("webhook-signature", signature.of(event.deliveryId(), now, body))
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    try {
      int status = http.send(request, BodyHandlers.discarding()).statusCode();
      if (status < 200 || status > 299) throw new IllegalStateException("answered " + status);
    } catch (IOException e) {
      throw new IllegalStateException("not delivered", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static byte[] body(DispatchEvent event) {
    var body = new LinkedHashMap<String, Object>();
    body.put("event", event.type().text());
    body.put("order_id", event.orderId());
    if (event.bookingId() != null) body.put("booking_id", event.bookingId());
    if (event.jobId() != null) body.put("job_id", event.jobId());
    if (event.driverId() != null) body.put("driver_id", event.driverId());
    if (event.reason() != null) body.put("reason", event.reason());
    if (event.attempt() > 0) body.put("attempt", event.attempt());
    if (event.occurredAt() != null) body.put("occurred_at", event.occurredAt().toString());
    return JSON.writeValueAsBytes(body);
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
