package dev.tuntas.server.bus;

import dev.tuntas.bus.BusWatch;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Counts what goes over the bus.
final class BusMeters implements BusWatch {

  private final Counter published;
  private final Counter deadLetters;
  private final Counter expired;
  private final AtomicInteger topicsMissing = new AtomicInteger();
  private final Map<Result, Counter> consumed = new EnumMap<>(Result.class);
  private final Map<Layer, Counter> duplicates = new EnumMap<>(Layer.class);

  BusMeters(MeterRegistry registry) {
    published = counter("bus_published_total", "Messages that the broker confirmed", registry);
    deadLetters = counter("bus_dead_letters_total", "Messages that became dead letters", registry);
    expired =
        counter(
            "timeout_worker_expired_events", "Messages that were late and not published", registry);
    Gauge.builder("bus_topics_missing", topicsMissing, AtomicInteger::get)
        .description("Topics that the broker does not have and does not let us make")
        .register(registry);
    for (var result : Result.values()) {
      var counter =
          Counter.builder("bus_consumed_total")
              .description("Attempts to take a message, by what became of it")
              .tag("result", label(result))
              .register(registry);
      consumed.put(result, counter);
    }
    for (var layer : Layer.values()) {
      var counter =
          Counter.builder("bus_duplicates_total")
              .description("Messages that had come before, by who knew it")
              .tag("layer", label(layer))
              .register(registry);
      duplicates.put(layer, counter);
    }
  }

  private static Counter counter(String name, String description, MeterRegistry registry) {
    return Counter.builder(name).description(description).register(registry);
  }

  private static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void published(int messages) {
    published.increment(messages);
  }

  @Override
  public void consumed(Result result) {
    increment(consumed.get(result));
    if (result == Result.DEAD) deadLetters.increment();
  }

  @Override
  public void duplicate(Layer layer) {
    increment(duplicates.get(layer));
  }

  @Override
  public void missing(int topics) {
    topicsMissing.set(topics);
  }

  @Override
  public void expired(int messages) {
    expired.increment(messages);
  }

  private static void increment(@Nullable Counter counter) {
    if (counter != null) counter.increment();
  }
}
