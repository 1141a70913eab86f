package dev.tuntas.simulator;

import dev.tuntas.saga.Outcome;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/// What happens to calls on their way to a simulated partner and back. It can be changed at any
/// time and is calm again after a restart.
public final class Weather {

  private final RandomGenerator chance;
  private final Pause pause;
  private volatile Behaviour behaviour = Behaviour.CALM;

  public Weather(RandomGenerator chance, Pause pause) {
    this.chance = chance;
    this.pause = pause;
  }

  public Behaviour behaviour() {
    return behaviour;
  }

  /// Changes the fields that are named, or nothing.
  public synchronized Change<Behaviour> change(Map<String, ?> changes) {
    var change = behaviour.with(changes);
    if (change instanceof Change.Changed<Behaviour>(var changed)) behaviour = changed;
    return change;
  }

  /// Carries out a call, as far as the weather lets it.
  <T> Outcome<T> call(Supplier<Outcome<T>> effect) {
    return call(behaviour, effect);
  }

  <T> Outcome<T> call(Behaviour now, Supplier<Outcome<T>> effect) {
    if (now.down()) return Outcome.unavailable("unreachable", "connection refused");
    if (now.latencyMs() > 0) pause.of(Duration.ofMillis(now.latencyMs()));
    boolean fails = happens(now.errorRate());
    if (fails && happens(0.5)) return Outcome.unclear("503 before anything was done");
    var outcome = effect.get();
    if (fails) return Outcome.unclear("503 after it was done");
    return happens(now.lostReplyRate()) ? Outcome.unclear("connection lost") : outcome;
  }

  private boolean happens(double rate) {
    if (rate <= 0) return false;
    synchronized (chance) {
      return chance.nextDouble() < rate;
    }
  }

  void pause(Duration time) {
    pause.of(time);
  }
}
