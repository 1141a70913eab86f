package dev.tuntas.server.observe;

import dev.tuntas.adapters.redis.RedisLink.Result;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/// Counts calls of Redis by what became of them.
public final class RedisMeters implements Consumer<Result> {

  private final Map<Result, Counter> calls = new EnumMap<>(Result.class);

  public RedisMeters(MeterRegistry registry) {
    for (var result : Result.values()) {
      calls.put(
          result,
          Counter.builder("redis_calls_total")
              .description("Calls of Redis, by what became of them")
              .tag("result", result.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  @Override
  public void accept(Result result) {
    var counter = calls.get(result);
    if (counter != null) counter.increment();
  }
}
