package dev.tuntas.server.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/// Counts calls by what became of them.
public final class ResultMeters<R extends Enum<R>> implements Consumer<R> {

  private final Map<R, Counter> calls;

  public ResultMeters(Class<R> results, String name, String what, MeterRegistry registry) {
    calls = new EnumMap<>(results);
    for (var result : results.getEnumConstants()) {
      calls.put(
          result,
          Counter.builder(name)
              .description(what)
              .tag("result", result.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
  }

  @Override
  public void accept(R result) {
    var counter = calls.get(result);
    if (counter != null) counter.increment();
  }
}
