package dev.tuntas.engine;

import dev.tuntas.engine.Next.Direction;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Hears what the engine does, so that metrics and traces can be bound to any library. Methods are
/// called on the engine's threads: they must be quick, and what they throw is logged and forgotten.
public interface EngineListener {

  EngineListener NONE = new EngineListener() {};

  /// A saga was durably accepted.
  default void started(SagaDefinition<?> saga, String id) {}

  /// A call begins.
  default void calling(SagaDefinition<?> saga, Direction direction, Call call) {}

  /// A call was answered, or gave no answer in time.
  default void called(
      SagaDefinition<?> saga,
      Direction direction,
      Call call,
      Outcome<?> outcome,
      Duration duration) {}

  /// A decision is durable.
  default void moved(
      SagaDefinition<?> saga, String id, Progress progress, List<HistoryEntry> history) {}

  /// The same, with all that was and is known of the saga.
  default <D> void changed(SagaDefinition<D> saga, String id, State<D> before, State<D> after) {}

  /// A saga came to its end, or to a person.
  default void rested(SagaDefinition<?> saga, String id, Status status) {}

  /// A saga cannot go on: what was decided about it cannot be stored, or it cannot be read. As soon
  /// as it can be written it is before a person, in this version, which tells so by a notice.
  default void stuck(SagaDefinition<?> saga, String id, long version, Failure why) {}

  /// A write was refused because another node owns the saga now.
  default void fenced(String id) {}

  /// Sagas of dead nodes were taken over.
  default void tookOver(int sagas) {}

  /// The sweeper found sagas that had not moved.
  default void swept(int sagas) {}

  /// A batch was committed.
  default void committed(int entries, Duration duration) {}

  /// The store could not be used.
  default void storeFailed(String attempted, StoreException failure) {}

  /// A lane's breaker opened or closed.
  default void breaker(String lane, Breaker.State state) {}

  /// A notice was published, failed, or given up on.
  default void published(Outbox.Entry notice, @Nullable Throwable failure, boolean dead) {}

  /// What waits to be published.
  default void outboxLag(Outbox.Lag lag) {}
}
