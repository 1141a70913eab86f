package dev.tuntas.bench.chaos;

import dev.tuntas.bench.cluster.Cluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// Reads the counter of all processes again and again, because that of a process dies with it.
final class FenceWatch implements AutoCloseable {

  private static final Duration EVERY = Duration.ofMillis(500);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Pattern COUNTER = Pattern.compile("^saga_fenced_total(?:\\{[^}]*})? (\\S+)");

  private final Cluster cluster;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build();

  /// By process.
  private final Map<Long, Double> highest = new HashMap<>();

  private final Thread thread;

  FenceWatch(Cluster cluster) {
    this.cluster = cluster;
    this.thread = Thread.ofVirtual().name("fence-watch").start(this::watch);
  }

  private void watch() {
    try {
      while (true) {
        look();
        Thread.sleep(EVERY);
      }
    } catch (InterruptedException _) {
      // closed
    }
  }

  private void look() throws InterruptedException {
    for (var member : cluster.members()) {
      if (!member.isUp()) continue;
      long pid = member.pid().orElse(0);
      try {
        read(member.address(), pid);
      } catch (IOException _) {
        // it fell
      }
    }
  }

  private void read(URI address, long pid) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(address.resolve("/actuator/prometheus"))
            .timeout(PATIENCE)
            .header("Authorization", "Bearer " + cluster.keys().admin())
            .build();
    for (var line : http.send(request, BodyHandlers.ofString()).body().lines().toList()) {
      var counter = COUNTER.matcher(line);
      if (counter.find()) {
        note(pid, Double.parseDouble(counter.group(1)));
      }
    }
  }

  private synchronized void note(long pid, double value) {
    highest.merge(pid, value, Math::max);
  }

  /// Writes that were refused because somebody else owned the saga by then.
  synchronized long fenced() {
    return Math.round(highest.values().stream().mapToDouble(Double::doubleValue).sum());
  }

  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join();
    http.shutdownNow();
  }
}
