package dev.tuntas.engine;

import dev.tuntas.engine.Next.Direction;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A listener whose mistakes do no harm.
final class QuietListener implements EngineListener {

  private static final Logger log = LoggerFactory.getLogger(QuietListener.class);

  private final EngineListener to;

  QuietListener(EngineListener to) {
    this.to = to;
  }

  private static void quietly(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError mistake) {
      log.warn("a listener threw", mistake);
    }
  }

  @Override
  public void started(SagaDefinition<?> saga, String id) {
    quietly(() -> to.started(saga, id));
  }

  @Override
  public void calling(SagaDefinition<?> saga, Direction direction, Call call) {
    quietly(() -> to.calling(saga, direction, call));
  }

  @Override
  public void called(
      SagaDefinition<?> saga,
      Direction direction,
      Call call,
      Outcome<?> outcome,
      Duration duration) {
    quietly(() -> to.called(saga, direction, call, outcome, duration));
  }

  @Override
  public void moved(SagaDefinition<?> saga, String id, Progress progress, String what) {
    quietly(() -> to.moved(saga, id, progress, what));
  }

  @Override
  public void rested(SagaDefinition<?> saga, String id, Status status) {
    quietly(() -> to.rested(saga, id, status));
  }

  @Override
  public void fenced(String id) {
    quietly(() -> to.fenced(id));
  }

  @Override
  public void tookOver(int sagas) {
    quietly(() -> to.tookOver(sagas));
  }

  @Override
  public void swept(int sagas) {
    quietly(() -> to.swept(sagas));
  }

  @Override
  public void committed(int entries, Duration duration) {
    quietly(() -> to.committed(entries, duration));
  }

  @Override
  public void storeFailed(String attempted, StoreException failure) {
    quietly(() -> to.storeFailed(attempted, failure));
  }

  @Override
  public void breaker(String lane, Breaker.State state) {
    quietly(() -> to.breaker(lane, state));
  }

  @Override
  public void published(Outbox.Entry notice, @Nullable Throwable failure, boolean dead) {
    quietly(() -> to.published(notice, failure, dead));
  }

  @Override
  public void outboxLag(Outbox.Lag lag) {
    quietly(() -> to.outboxLag(lag));
  }
}
