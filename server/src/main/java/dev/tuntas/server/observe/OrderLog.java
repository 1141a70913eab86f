package dev.tuntas.server.observe;

import dev.tuntas.engine.Breaker;
import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.Progress;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.Progress.Undoing;
import dev.tuntas.engine.State;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.SagaDefinition;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Logs the turns that somebody should know of; the texts are stable, and what varies is beside
/// them. It names causes by their code: their sentences may quote a partner.
public final class OrderLog implements EngineListener {

  private static final Logger log = LoggerFactory.getLogger(OrderLog.class);

  /// Lanes that have not closed since they opened: that is told once, however often trials fail.
  private final Set<String> open = ConcurrentHashMap.newKeySet();

  @Override
  public <D> void changed(SagaDefinition<D> saga, String id, State<D> before, State<D> after) {
    var now = after.progress();
    if (now instanceof Held held && !(before.progress() instanceof Held)) {
      held(saga, id, held);
    } else if (now instanceof Undoing undoing && !isTurningBack(before.progress())) {
      turnedBack(saga, id, undoing, after.trail().cause());
    }
  }

  private static boolean isTurningBack(Progress progress) {
    return progress instanceof Undoing
        || progress instanceof Held(var before, _) && before instanceof Undoing;
  }

  private static void held(SagaDefinition<?> saga, String id, Held held) {
    if (isTimeout(held.why())) timeout(saga, id, held.why());
    if (held.before() instanceof Undoing undoing) {
      about(log.atError(), saga, id, held.why())
          .addKeyValue("step", undoing.step())
          .addKeyValue("attempts", undoing.attempt())
          .log("Compensation failed, a person is needed");
    } else {
      about(log.atWarn(), saga, id, held.why()).log("Held for a person");
    }
  }

  /// That an order turns back is ordinary, unless it waited in vain.
  private static void turnedBack(
      SagaDefinition<?> saga, String id, Undoing undoing, @Nullable Failure cause) {
    if (isTimeout(cause)) timeout(saga, id, cause);
    var line = isTimeout(cause) ? log.atInfo() : log.atDebug();
    about(line, saga, id, cause)
        .addKeyValue("step", undoing.step())
        .log("Published compensation event");
  }

  private static boolean isTimeout(@Nullable Failure cause) {
    return cause instanceof Failure.Expired;
  }

  private static void timeout(SagaDefinition<?> saga, String id, @Nullable Failure cause) {
    about(log.atWarn(), saga, id, cause).log("Saga timeout detected");
  }

  private static LoggingEventBuilder about(
      LoggingEventBuilder line, SagaDefinition<?> saga, String id, @Nullable Failure cause) {
    var told = line.addKeyValue("saga_id", id).addKeyValue("saga", saga.name());
    return cause == null ? told : told.addKeyValue("cause", cause.code());
  }

  @Override
  public void breaker(String lane, Breaker.State state) {
    switch (state) {
      case OPEN -> {
        if (open.add(lane)) log.atError().addKeyValue("lane", lane).log("Circuit breaker opened");
      }
      case TRIAL -> {}
      case CLOSED -> {
        open.remove(lane);
        log.atInfo().addKeyValue("lane", lane).log("Circuit breaker closed");
      }
    }
  }
}
