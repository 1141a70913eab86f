package dev.tuntas.server.observe;

import dev.tuntas.engine.Breaker;
import dev.tuntas.engine.Engine;
import dev.tuntas.engine.Outbox;
import dev.tuntas.store.Stores;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/// How much waits, and for whom, at the moment somebody asks. What is counted in the database is
/// the same in every process; what cannot be read is not a number.
public final class EngineGauges implements MeterBinder {

  private static final Duration FRESH = Duration.ofMillis(500);

  private final Engine engine;
  private final Stores stores;
  private final InstantSource clock;
  private final List<String> lanes;
  private final Remembered<Outbox.Lag> lag;

  public EngineGauges(Engine engine, Stores stores, Collection<String> lanes, InstantSource clock) {
    this.engine = engine;
    this.stores = stores;
    this.clock = clock;
    this.lanes = List.copyOf(lanes);
    this.lag = new Remembered<>(() -> stores.outbox().lag(), FRESH, System::nanoTime);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge("outbox_waiting", "Notices that wait to be published", registry, this::waiting);
    gauge("outbox_oldest_age_seconds", "The age of the oldest of them", registry, this::age);
    gauge("saga_queue_depth", "Sagas that are due and taken up by nobody", registry, this::depth);
    gauge("sagas_running", "Sagas that this process runs from memory", registry, engine::running);
    gauge(
        "engine_trouble",
        "1 while this process cannot go on, 0 while it can",
        registry,
        () -> engine.vitals().trouble().isPresent() ? 1 : 0);
    gauge(
        "engine_beat_age_seconds",
        "Since the database last took a sign of life of this process",
        registry,
        () -> seconds(engine.vitals().sinceBeat()));
    gauge(
        "engine_not_written_seconds",
        "How long nothing has been written although something waits to be",
        registry,
        () -> seconds(engine.vitals().notWritten()));
    gauge(
        "engine_oldest_write_seconds",
        "How long the oldest decision has waited to be written",
        registry,
        () -> seconds(engine.vitals().oldestWrite()));
    gauge(
        "saga_oldest_due_seconds",
        "How long the longest overdue saga has been due and taken up by nobody",
        registry,
        this::oldestDue);
    LogGauges.bind("orders", stores::log, registry);
    for (var lane : lanes) {
      Gauge.builder("breaker_state", engine, it -> number(it.breaker(lane)))
          .description("A partner's breaker: 0 closed, 1 open, 2 on trial")
          .tag("lane", lane)
          .register(registry);
    }
  }

  private static void gauge(
      String name, String description, MeterRegistry registry, Supplier<Number> value) {
    Gauge.builder(name, orNothing(value)).description(description).register(registry);
  }

  /// What cannot be read is not a number.
  static Supplier<Number> orNothing(Supplier<Number> number) {
    return () -> {
      try {
        return number.get();
      } catch (RuntimeException _) {
        return Double.NaN;
      }
    };
  }

  private static double seconds(Duration span) {
    return span.toMillis() / 1000.0;
  }

  private Number oldestDue() {
    var now = clock.instant();
    return stores.oldestDue(now).map(since -> seconds(Duration.between(since, now))).orElse(0.0);
  }

  private Number waiting() {
    return lag.get().waiting();
  }

  private Number age() {
    return seconds(lag.get().age(clock.instant()));
  }

  private Number depth() {
    return stores.queueDepth(clock.instant());
  }

  private static int number(Breaker.State state) {
    return switch (state) {
      case CLOSED -> 0;
      case OPEN -> 1;
      case TRIAL -> 2;
    };
  }
}
