package dev.tuntas.engine;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// How an engine fares at the moment somebody asks: for health checks, metrics, and whoever decides
/// whether this process can take on more.
///
/// @param sinceBeat since the store last took a sign of life of this process
/// @param notWritten how long nothing has been written although something waits to be
/// @param oldestWrite how long the oldest decision has waited to be written. A row that somebody
///   else keeps locked may wait for long, and holds up nobody else.
/// @param standing those of its threads that have not come around for long, and for how long
public record Vitals(
    Duration sinceBeat, Duration notWritten, Duration oldestWrite, Map<String, Duration> standing) {

  /// Longer than a slow disk or a failover of milliseconds; shorter than what a client waits for.
  private static final Duration LONG = Duration.ofSeconds(4);

  public Vitals {
    standing = new TreeMap<>(standing);
  }

  /// Why this process cannot go on, as a sentence. Empty while it can.
  public Optional<String> trouble() {
    if (isLong(notWritten)) {
      return Optional.of("Nothing could be written for " + seconds(notWritten));
    }
    if (isLong(sinceBeat)) {
      return Optional.of("The database took no sign of life for " + seconds(sinceBeat));
    }
    return standing.entrySet().stream()
        .findFirst()
        .map(it -> "The thread " + it.getKey() + " has stood still for " + seconds(it.getValue()));
  }

  private static boolean isLong(Duration span) {
    return span.compareTo(LONG) > 0;
  }

  private static String seconds(Duration span) {
    return span.toSeconds() + " s";
  }
}
