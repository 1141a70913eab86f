package dev.tuntas.server.observe;

import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.Next.Direction;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Step;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How long the calls of steps take, how they end, and how often they are repeated. All meters
/// exist from the start, so that a call only looks them up.
public final class StepMeters implements EngineListener {

  /// What became of a call: three outcomes, the clear failure apart by whether a repetition helps.
  enum Ending {
    SUCCEEDED,
    FAILED,
    UNAVAILABLE,
    UNCLEAR;

    static Ending of(Outcome<?> outcome) {
      return switch (outcome) {
        case Outcome.Succeeded<?> _ -> SUCCEEDED;
        case Outcome.Failed<?>(Failure.Unavailable _) -> UNAVAILABLE;
        case Outcome.Failed<?> _ -> FAILED;
        case Outcome.Unclear<?> _ -> UNCLEAR;
      };
    }
  }

  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2500),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30)
  };

  private record OfStep(Map<Direction, Map<Ending, Timer>> durations, Counter retries) {}

  private final MeterRegistry registry;
  private final Map<SagaDefinition<?>, Map<String, OfStep>> steps = new HashMap<>();

  public StepMeters(Collection<? extends SagaDefinition<?>> sagas, MeterRegistry registry) {
    this.registry = registry;
    for (var saga : sagas) steps.put(saga, ofSaga(saga));
  }

  private Map<String, OfStep> ofSaga(SagaDefinition<?> saga) {
    var all = new HashMap<String, OfStep>();
    for (var step : saga.steps()) all.put(step.name(), ofStep(saga, step));
    return all;
  }

  private OfStep ofStep(SagaDefinition<?> saga, Step<?> step) {
    var durations = new EnumMap<Direction, Map<Ending, Timer>>(Direction.class);
    for (var direction : Direction.values()) {
      if (!has(step, direction)) continue;
      var byEnding = new EnumMap<Ending, Timer>(Ending.class);
      for (var ending : Ending.values()) {
        byEnding.put(ending, timer(saga, step, direction, ending));
      }
      durations.put(direction, byEnding);
    }
    var retries =
        Counter.builder("saga_step_retries_total")
            .description("Calls of a step after its first: repeated, or asked after a doubt")
            .tag("saga", saga.name())
            .tag("step", step.name())
            .register(registry);
    return new OfStep(durations, retries);
  }

  private static boolean has(Step<?> step, Direction direction) {
    return switch (direction) {
      case DO -> step.action() != null;
      case ASK -> step.asker() != null;
      case UNDO -> step.undo() != null;
    };
  }

  private Timer timer(SagaDefinition<?> saga, Step<?> step, Direction direction, Ending ending) {
    return Timer.builder("saga_step_duration_seconds")
        .description("How long the calls of steps took")
        .tag("saga", saga.name())
        .tag("step", step.name())
        .tag("direction", label(direction))
        .tag("outcome", label(ending))
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  static String label(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private @Nullable OfStep of(SagaDefinition<?> saga, Call call) {
    var ofSaga = steps.get(saga);
    return ofSaga == null ? null : ofSaga.get(call.step());
  }

  @Override
  public void calling(SagaDefinition<?> saga, Direction direction, Call call) {
    boolean again = direction == Direction.ASK || direction == Direction.DO && call.attempt() > 1;
    if (!again) return;
    var step = of(saga, call);
    if (step != null) step.retries.increment();
  }

  @Override
  public void called(
      SagaDefinition<?> saga,
      Direction direction,
      Call call,
      Outcome<?> outcome,
      Duration duration) {
    var step = of(saga, call);
    var durations = step == null ? null : step.durations.get(direction);
    var timer = durations == null ? null : durations.get(Ending.of(outcome));
    if (timer != null) timer.record(duration);
  }
}
