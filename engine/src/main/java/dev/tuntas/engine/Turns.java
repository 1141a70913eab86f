package dev.tuntas.engine;

import static java.util.stream.Collectors.toMap;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/// When each of the engine's threads last came around, whether what it did succeeded or not. One
/// that does not come around waits for something that never comes, and only a fresh start helps.
final class Turns {

  /// What a thread waits for, a statement above all, has a limit far below this; but there may be
  /// many of them before it comes around.
  private static final Duration LONG = Duration.ofMinutes(3);

  private final LongSupplier nanos;
  private final Map<String, Long> last = new ConcurrentHashMap<>();

  Turns(LongSupplier nanos) {
    this.nanos = nanos;
  }

  void took(String thread) {
    last.put(thread, nanos.getAsLong());
  }

  /// Those that have not come around for long.
  Map<String, Duration> standing() {
    long now = nanos.getAsLong();
    return last.entrySet().stream()
        .filter(it -> now - it.getValue() > LONG.toNanos())
        .collect(toMap(Map.Entry::getKey, it -> Duration.ofNanos(now - it.getValue())));
  }
}
