package dev.tuntas.server.observe;

import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.Outbox;
import dev.tuntas.engine.StoreException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the engine does to keep sagas going: commits, take-overs, sweeps, notices.
public final class EngineMeters implements EngineListener {

  private static final Duration[] COMMIT_BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(2),
    Duration.ofSeconds(10)
  };

  private final Counter fenced;
  private final Counter takenOver;
  private final Counter swept;
  private final DistributionSummary batch;
  private final Timer commit;
  private final Map<StoreException.Kind, Counter> failures =
      new EnumMap<>(StoreException.Kind.class);
  private final Counter published;
  private final Counter notPublished;

  public EngineMeters(MeterRegistry registry) {
    fenced =
        counter("saga_fenced_total", "Writes refused because another node owns the saga", registry);
    takenOver =
        counter("saga_taken_over_total", "Sagas that were taken over from dead nodes", registry);
    swept =
        counter("sweeper_found_total", "Sagas that the sweeper found not to have moved", registry);
    batch =
        DistributionSummary.builder("group_commit_batch_size")
            .description("Decisions written by one commit")
            .serviceLevelObjectives(1, 2, 5, 10, 25, 50, 100, 250, 500)
            .register(registry);
    commit =
        Timer.builder("group_commit_duration_seconds")
            .description("How long commits took")
            .serviceLevelObjectives(COMMIT_BUCKETS)
            .register(registry);
    for (var kind : StoreException.Kind.values()) failures.put(kind, failure(kind, registry));
    published = notices("success", registry);
    notPublished = notices("failed", registry);
    // Here also without a bus, where nothing expires: orders are given up by their sagas.
    counter("timeout_worker_expired_events", "Messages that were late and not published", registry);
  }

  private static Counter counter(String name, String description, MeterRegistry registry) {
    return Counter.builder(name).description(description).register(registry);
  }

  private static Counter failure(StoreException.Kind kind, MeterRegistry registry) {
    return Counter.builder("store_failures_total")
        .description("What the database could not do, by what is known of it")
        .tag("kind", StepMeters.label(kind))
        .register(registry);
  }

  private static Counter notices(String result, MeterRegistry registry) {
    return Counter.builder("outbox_published_total")
        .description("Attempts to publish a notice")
        .tag("result", result)
        .register(registry);
  }

  @Override
  public void fenced(String id) {
    fenced.increment();
  }

  @Override
  public void tookOver(int sagas) {
    takenOver.increment(sagas);
  }

  @Override
  public void swept(int sagas) {
    swept.increment(sagas);
  }

  @Override
  public void committed(int entries, Duration duration) {
    batch.record(entries);
    commit.record(duration);
  }

  @Override
  public void storeFailed(String attempted, StoreException failure) {
    var counter = failures.get(failure.kind());
    if (counter != null) counter.increment();
  }

  @Override
  public void published(Outbox.Entry notice, @Nullable Throwable failure, boolean dead) {
    (failure == null ? published : notPublished).increment();
  }
}
