package dev.tuntas.server.observe;

import dev.tuntas.orders.RideJournal;
import dev.tuntas.orders.RideMetric;
import dev.tuntas.orders.RideSaga;
import dev.tuntas.store.Stores;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.function.Supplier;

/// How many rides wait, and for what. They are counted in the database now and then, so that every
/// process tells the same; what cannot be read is not a number.
public final class RideGauges implements MeterBinder {

  /// All that wait are looked at to count them.
  private static final Duration FRESH = Duration.ofSeconds(10);

  private final RideJournal journal;
  private final Remembered<Long> forJobIds;
  private final Remembered<Long> forDrivers;

  public RideGauges(RideJournal journal, Stores stores) {
    this.journal = journal;
    this.forJobIds = counted(() -> stores.asking(RideSaga.JOB));
    this.forDrivers = counted(() -> stores.asking(RideSaga.DRIVER));
  }

  private static Remembered<Long> counted(Supplier<Long> count) {
    return new Remembered<>(count, FRESH, System::nanoTime);
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    gauge(RideMetric.RETRIEVAL_ATTEMPTS_MEAN, journal::attemptsMean, registry);
    gauge(RideMetric.RETRIEVAL_ACTIVE, forJobIds::get, registry);
    gauge(RideMetric.IN_RETRY, forDrivers::get, registry);
  }

  private static void gauge(RideMetric metric, Supplier<Number> value, MeterRegistry registry) {
    Gauge.builder(metric.metricName(), EngineGauges.orNothing(value))
        .description(metric.help())
        .register(registry);
  }
}
