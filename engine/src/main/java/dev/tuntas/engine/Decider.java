package dev.tuntas.engine;

import dev.tuntas.saga.SagaDefinition;
import java.time.Instant;

/// The engine's one decision, as a value, so that the simulator can put a wrong one in its place.
public interface Decider {

  <D> Decision<D> start(SagaDefinition<D> saga, String id, D data, Instant now);

  <D> Decision<D> next(
      SagaDefinition<D> saga, String id, State<D> state, Event<D> event, Instant now);
}
