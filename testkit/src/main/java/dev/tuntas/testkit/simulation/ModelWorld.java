package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.Status;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Succeeded;
import dev.tuntas.saga.Outcome.Unclear;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import dev.tuntas.saga.Step;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A world for any definition: behind every step stands a service that does its work once per key,
/// knows what it did, and remembers an undo that came first. What the definition waits for comes a
/// few seconds later. The definition's own functions say what the service would answer.
final class ModelWorld<D> implements World<D> {

  private static final class Effect<D> {
    boolean happened;
    boolean tombstone;
    @Nullable Outcome<D> answer;
  }

  private final SagaDefinition<D> saga;
  private final IntFunction<D> orders;
  private final Outside outside;
  private final RandomGenerator random;
  private final Map<String, Effect<D>> effects = new HashMap<>();

  ModelWorld(
      SagaDefinition<D> saga, IntFunction<D> orders, Outside outside, RandomGenerator random) {
    this.orders = orders;
    this.outside = outside;
    this.random = random;
    this.saga = saga.rewired(this::rewire);
  }

  private Step<D> rewire(Step<D> step) {
    return step.rewired(own -> doing(step, own), this::undoing, this::asking);
  }

  @Override
  public SagaDefinition<D> saga() {
    return saga;
  }

  @Override
  public D order(int n) {
    return orders.apply(n);
  }

  private Effect<D> effect(String sagaId, String step) {
    return effects.computeIfAbsent(sagaId + " " + step, _ -> new Effect<>());
  }

  private Action<D> doing(Step<D> step, Action<D> own) {
    return (data, call) -> {
      var effect = effect(call.sagaId(), call.step());
      if (effect.tombstone) return Outcome.declined("UNDONE", "it was undone before it came");
      if (effect.happened && effect.answer != null) return effect.answer;
      var answer = own.perform(data, call);
      if (answer instanceof Succeeded
          || answer instanceof Unclear<D>(_, var doubt) && doubt == Outcome.Doubt.PENDING) {
        effect.happened = true;
        effect.answer = answer;
        callBack(step, call.sagaId());
        for (int i = saga.indexOf(step.name()) + 1; i < saga.steps().size(); i++) {
          if (!saga.steps().get(i).waitsOnly()) break;
          callBack(saga.steps().get(i), call.sagaId());
        }
      }
      return answer;
    };
  }

  private void callBack(Step<D> step, String sagaId) {
    var name = step.signal();
    if (name == null) return;
    var signal = new Signal("model", sagaId + "-" + name, name, "");
    outside.signal(sagaId, signal, Duration.ofMillis(random.nextInt(5_000)));
  }

  private Action<D> asking(Action<D> own) {
    return (data, call) -> {
      var effect = effect(call.sagaId(), call.step());
      if (effect.answer instanceof Succeeded<D> known && effect.happened) return known;
      var step = saga.steps().get(saga.indexOf(call.step()));
      if (!step.waitsOnly() && !effect.happened) return Outcome.absent("the service knows nothing");
      return own.perform(data, call);
    };
  }

  private Action<D> undoing(Action<D> own) {
    return (data, call) -> {
      var effect = effect(call.sagaId(), call.step());
      effect.tombstone = true;
      if (!effect.happened) return Outcome.done(data);
      var answer = own.perform(data, call);
      if (answer instanceof Succeeded) effect.happened = false;
      return answer;
    };
  }

  @Override
  public @Nullable String wrongNow(String sagaId) {
    return null; // each service does its work once per key; what is left over shows at rest
  }

  @Override
  public @Nullable String wrongAtRest(SagaRow row) {
    for (var step : saga.steps()) {
      if (step.waitsOnly()) continue;
      boolean happened = happened(row.id(), step.name());
      if (row.status() == Status.DONE && !happened && !step.isOptional()) {
        return "it is done, but " + step.name() + " did not happen";
      }
      boolean mustNotRemain = step.undo() != null || step.isPivot();
      if (row.status() == Status.UNDONE && happened && mustNotRemain) {
        return "it is undone, but " + step.name() + " is left over";
      }
    }
    return null;
  }

  @Override
  public boolean happened(String sagaId, String step) {
    return effect(sagaId, step).happened;
  }
}
