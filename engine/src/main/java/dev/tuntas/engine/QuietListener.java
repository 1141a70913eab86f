package dev.tuntas.engine;

import dev.tuntas.engine.Next.Direction;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Listeners whose mistakes do no harm, not even to each other.
final class QuietListener implements EngineListener {

  private static final Logger log = LoggerFactory.getLogger(QuietListener.class);

  private final Trouble mistakes = new Trouble(log, "A listener");

  private final EngineListener[] all;

  QuietListener(EngineListener... all) {
    this.all = all.clone();
  }

  private void tell(Consumer<EngineListener> telling) {
    for (var listener : all) {
      try {
        telling.accept(listener);
      } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError mistake) {
        mistakes.failed(mistake);
      }
    }
  }

  @Override
  public void started(SagaDefinition<?> saga, String id) {
    tell(it -> it.started(saga, id));
  }

  @Override
  public void calling(SagaDefinition<?> saga, Direction direction, Call call) {
    tell(it -> it.calling(saga, direction, call));
  }

  @Override
  public void called(
      SagaDefinition<?> saga,
      Direction direction,
      Call call,
      Outcome<?> outcome,
      Duration duration) {
    tell(it -> it.called(saga, direction, call, outcome, duration));
  }

  @Override
  public void moved(
      SagaDefinition<?> saga, String id, Progress progress, List<HistoryEntry> history) {
    tell(it -> it.moved(saga, id, progress, history));
  }

  @Override
  public <D> void changed(SagaDefinition<D> saga, String id, State<D> before, State<D> after) {
    tell(it -> it.changed(saga, id, before, after));
  }

  @Override
  public void rested(SagaDefinition<?> saga, String id, Status status) {
    tell(it -> it.rested(saga, id, status));
  }

  @Override
  public void stuck(SagaDefinition<?> saga, String id, long version, Failure why) {
    tell(it -> it.stuck(saga, id, version, why));
  }

  @Override
  public void fenced(String id) {
    tell(it -> it.fenced(id));
  }

  @Override
  public void tookOver(int sagas) {
    tell(it -> it.tookOver(sagas));
  }

  @Override
  public void swept(int sagas) {
    tell(it -> it.swept(sagas));
  }

  @Override
  public void committed(int entries, Duration duration) {
    tell(it -> it.committed(entries, duration));
  }

  @Override
  public void storeFailed(String attempted, StoreException failure) {
    tell(it -> it.storeFailed(attempted, failure));
  }

  @Override
  public void breaker(String lane, Breaker.State state) {
    tell(it -> it.breaker(lane, state));
  }

  @Override
  public void published(Outbox.Entry notice, @Nullable Throwable failure, boolean dead) {
    tell(it -> it.published(notice, failure, dead));
  }

  @Override
  public void outboxLag(Outbox.Lag lag) {
    tell(it -> it.outboxLag(lag));
  }
}
