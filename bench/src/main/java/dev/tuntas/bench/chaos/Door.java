package dev.tuntas.bench.chaos;

import dev.tuntas.bench.chaos.Told.Asked;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The server as customers reach it: where it listens right now, if it does.
public final class Door implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private final Supplier<Optional<URI>> address;
  private final List<String> keys;
  private final Journal journal;
  private final Witness witness;

  /// Somebody who sees what customers see.
  public interface Witness {

    /// @param askedAt in nanoseconds of this process
    /// @param told empty if no answer came
    void saw(long askedAt, Optional<Told> told);
  }

  /// @param keys the key of each client
  Door(Supplier<Optional<URI>> address, List<String> keys, Journal journal) {
    this(address, keys, journal, (_, _) -> {});
  }

  public Door(
      Supplier<Optional<URI>> address, List<String> keys, Journal journal, Witness witness) {
    this.witness = witness;
    this.address = address;
    this.keys = List.copyOf(keys);
    this.journal = journal;
  }

  /// Sends the order. Empty if no answer came, whatever that means.
  public Optional<Told> place(Story story, int waitSeconds) throws InterruptedException {
    var errand = story.errand();
    return ask(
        story,
        Asked.PLACE,
        "/api/v1/orders",
        request -> {
          request
              .header("Idempotency-Key", errand.key())
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(errand.body()));
          if (waitSeconds > 0) request.header("Prefer", "wait=" + waitSeconds);
        });
  }

  public Optional<Told> look(Story story, String orderId) throws InterruptedException {
    return ask(story, Asked.LOOK, "/api/v1/orders/" + orderId, HttpRequest.Builder::GET);
  }

  Optional<Told> cancel(Story story, String orderId) throws InterruptedException {
    return ask(
        story,
        Asked.CANCEL,
        "/api/v1/orders/" + orderId + "/cancel",
        request -> request.POST(BodyPublishers.noBody()));
  }

  private interface Shape {
    void give(HttpRequest.Builder request);
  }

  private Optional<Told> ask(Story story, Asked what, String path, Shape shape)
      throws InterruptedException {
    var base = address.get();
    if (base.isEmpty()) return Optional.empty();
    var errand = story.errand();
    var request =
        HttpRequest.newBuilder(base.get().resolve(path))
            .timeout(PATIENCE)
            .header("Authorization", "Bearer " + keys.get(errand.client()));
    shape.give(request);
    journal.asked(errand, what);
    long askedAt = System.nanoTime();
    var answer = send(story, what, request.build());
    witness.saw(askedAt, answer);
    return answer;
  }

  private Optional<Told> send(Story story, Asked what, HttpRequest request)
      throws InterruptedException {
    try {
      var answer = http.send(request, BodyHandlers.ofString());
      var told = Told.of(Instant.now(), what, answer.statusCode(), replayed(answer), answer.body());
      journal.told(story, told);
      return Optional.of(told);
    } catch (IOException e) {
      journal.silence(story.errand(), what, e.toString());
      return Optional.empty();
    }
  }

  private static boolean replayed(HttpResponse<?> answer) {
    return answer.headers().firstValue("Idempotency-Replayed").isPresent();
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
