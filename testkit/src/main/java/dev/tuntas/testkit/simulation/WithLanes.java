package dev.tuntas.testkit.simulation;

import dev.tuntas.engine.Lane;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.saga.SagaDefinition;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A world with limits for one more partner.
record WithLanes<D>(World<D> world, Lane.Settings lane) implements World<D> {

  @Override
  public List<Lane.Settings> lanes() {
    return Stream.concat(world.lanes().stream(), Stream.of(lane)).toList();
  }

  @Override
  public SagaDefinition<D> saga() {
    return world.saga();
  }

  @Override
  public D order(int n) {
    return world.order(n);
  }

  @Override
  public @Nullable String wrongNow(String sagaId) {
    return world.wrongNow(sagaId);
  }

  @Override
  public @Nullable String wrongAtRest(SagaRow saga) {
    return world.wrongAtRest(saga);
  }

  @Override
  public boolean happened(String sagaId, String step) {
    return world.happened(sagaId, step);
  }

  @Override
  public boolean honoursKeys(String step) {
    return world.honoursKeys(step);
  }

  @Override
  public boolean kills(String sagaId, String step) {
    return world.kills(sagaId, step);
  }

  @Override
  public boolean isPoison(Object data) {
    return world.isPoison(data);
  }
}
