package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.Lane;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.saga.Signal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// What a saga acts upon in a simulation: services with ledgers of their own, kept outside the
/// system under test, and what must be true about them.
public interface World<D> {

  /// The definition under test, wired to this world's services. Their functions are called when a
  /// request arrives; losing and repeating requests and replies is the simulation's work.
  SagaDefinition<D> saga();

  /// The data of the n-th saga.
  D order(int n);

  /// What is wrong about this saga right now, or null. Asked after every event that touched it.
  @Nullable String wrongNow(String sagaId);

  /// What is wrong about this saga once everything has come to rest, or null.
  @Nullable String wrongAtRest(SagaRow saga);

  /// Whether the effect of a step is there: what a person would find out by looking.
  boolean happened(String sagaId, String step);

  /// Whether the service behind a step does its work once per key. Where it does not, the network
  /// neither repeats requests nor delivers them after their timeout: no engine could heal that.
  default boolean honoursKeys(String step) {
    return true;
  }

  /// Whether the process that calls this step dies of it, every time.
  default boolean kills(String sagaId, String step) {
    return false;
  }

  /// Whether no store can hold this data.
  default boolean isPoison(Object data) {
    return false;
  }

  /// The limits of the partners that its steps name.
  default List<Lane.Settings> lanes() {
    return List.of();
  }

  /// Makes a world. `outside` carries its callbacks.
  @FunctionalInterface
  interface Factory<D> {
    World<D> create(Outside outside, RandomGenerator random);
  }

  /// What a world can use: the way by which its callbacks reach the system under test, and the
  /// time.
  interface Outside {
    void signal(String sagaId, Signal signal, Duration after);

    InstantSource clock();
  }
}
