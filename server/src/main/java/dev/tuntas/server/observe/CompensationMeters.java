package dev.tuntas.server.observe;

import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.Progress;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.State;
import dev.tuntas.saga.SagaDefinition;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;

/// How compensations end: each is the undoing of one step, however many attempts it takes.
public final class CompensationMeters implements EngineListener {

  private final Counter succeeded;
  private final Counter failed;
  private final DistributionSummary attempts;

  public CompensationMeters(MeterRegistry registry) {
    succeeded = total("succeeded", registry);
    failed = total("failed", registry);
    attempts =
        DistributionSummary.builder("compensation_attempts")
            .description("Attempts that a compensation took until it succeeded or was given up")
            .serviceLevelObjectives(1, 2, 3, 5, 10)
            .register(registry);
  }

  private static Counter total(String result, MeterRegistry registry) {
    return Counter.builder("compensation_total")
        .description("Steps that were undone, or whose undoing was given up")
        .tag("result", result)
        .register(registry);
  }

  @Override
  public <D> void changed(SagaDefinition<D> saga, String id, State<D> before, State<D> after) {
    if (!(before.progress() instanceof Undoing undoing)) return;
    var now = after.progress();
    if (isStillAt(undoing, now)) return;
    (now instanceof Held ? failed : succeeded).increment();
    attempts.record(undoing.attempt());
  }

  private static boolean isStillAt(Undoing undoing, Progress now) {
    return now instanceof Undoing next && next.step().equals(undoing.step());
  }
}
