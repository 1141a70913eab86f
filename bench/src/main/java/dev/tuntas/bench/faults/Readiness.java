package dev.tuntas.bench.faults;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/// Asks the server again and again whether it is ready, and tells when that was not true.
final class Readiness implements AutoCloseable {

  /// What it said at a moment.
  record Look(long at, boolean ready) {}

  private static final Duration EVERY = Duration.ofMillis(250);
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  /// It may take so long to notice that nothing can be written.
  private static final Duration NOTICE_WITHIN = Duration.ofSeconds(5);

  /// It may say so this long before the next order is written down.
  private static final Duration AHEAD = Duration.ofSeconds(2);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final Supplier<Optional<URI>> server;
  private final ConcurrentLinkedQueue<Look> looks = new ConcurrentLinkedQueue<>();
  private final Thread thread;

  private Readiness(Supplier<Optional<URI>> server) {
    this.server = server;
    this.thread = Thread.ofVirtual().name("readiness").unstarted(this::lookOnAndOn);
  }

  static Readiness watch(Supplier<Optional<URI>> server) {
    var watch = new Readiness(server);
    watch.thread.start();
    return watch;
  }

  private void lookOnAndOn() {
    try {
      while (true) {
        looks.add(new Look(System.nanoTime(), isReady()));
        Thread.sleep(EVERY);
      }
    } catch (InterruptedException _) {
      // closed
    }
  }

  private boolean isReady() throws InterruptedException {
    var address = server.get();
    if (address.isEmpty()) return false;
    var request =
        HttpRequest.newBuilder(address.get().resolve("/actuator/health/readiness"))
            .timeout(PATIENCE)
            .build();
    try {
      return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException _) {
      return false;
    }
  }

  List<Look> looks() {
    return List.copyOf(looks);
  }

  /// For how many seconds it said that it was ready while nothing could be written.
  ///
  /// @param writes when orders were written down; customers kept coming all the time
  /// @param from when the first of them came
  /// @param to when the last of them came
  static double wrongSeconds(List<Look> looks, List<Long> writes, long from, long to) {
    var times = new TreeSet<>(writes);
    long wrong =
        looks.stream()
            .filter(look -> look.ready && look.at > from && look.at < to)
            .filter(look -> isWrong(look.at, times, from, to))
            .count();
    return wrong * EVERY.toMillis() / 1000.0;
  }

  private static boolean isWrong(long at, NavigableSet<Long> writes, long from, long to) {
    Long before = writes.floor(at);
    Long after = writes.ceiling(at);
    return at - (before == null ? from : before) > NOTICE_WITHIN.toNanos()
        && (after == null ? to : after) - at > AHEAD.toNanos();
  }

  @Override
  public void close() {
    thread.interrupt();
    http.shutdownNow();
  }
}
