package dev.tuntas.server.observe;

import dev.tuntas.store.LogState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.function.Supplier;

/// The log that SQLite keeps beside the file of each database.
public final class LogGauges {

  private LogGauges() {}

  /// Does nothing for a database that has none.
  public static void bind(
      String database, Supplier<Optional<LogState>> log, MeterRegistry registry) {
    if (log.get().isEmpty()) return;
    gauge(
        "sqlite_log_bytes",
        "The length of the log that SQLite keeps beside its file",
        database,
        () -> log.get().orElseThrow().bytes(),
        registry);
    gauge(
        "sqlite_log_not_copied_seconds",
        "How long that log could not be copied into the file; 0 if nothing is wrong",
        database,
        () -> log.get().orElseThrow().failingFor().toMillis() / 1000.0,
        registry);
  }

  private static void gauge(
      String name,
      String description,
      String database,
      Supplier<Number> value,
      MeterRegistry registry) {
    Gauge.builder(name, EngineGauges.orNothing(value))
        .description(description)
        .tag("database", database)
        .register(registry);
  }
}
