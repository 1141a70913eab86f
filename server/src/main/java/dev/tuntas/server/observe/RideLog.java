package dev.tuntas.server.observe;

import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.Next.Direction;
import dev.tuntas.engine.Progress.Asking;
import dev.tuntas.engine.State;
import dev.tuntas.orders.Order;
import dev.tuntas.orders.RideSaga;
import dev.tuntas.orders.Standing;
import dev.tuntas.rides.Closing;
import dev.tuntas.rides.Trip;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Failure;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/// Logs how the job ids of rides are looked for, in the words of the design document: its texts are
/// searched for. Errors are named by their code: their sentences may quote a partner.
public final class RideLog implements EngineListener {

  private static final Logger log = LoggerFactory.getLogger(RideLog.class);

  private final InstantSource clock;

  /// What the partner answered last, until the ride knows of it.
  private final Map<String, String> errors = new ConcurrentHashMap<>();

  public RideLog(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public void called(
      SagaDefinition<?> saga,
      Direction direction,
      Call call,
      Outcome<?> outcome,
      Duration duration) {
    if (direction != Direction.ASK || !call.step().equals(RideSaga.JOB)) return;
    var error = error(outcome);
    if (error != null) errors.put(call.sagaId(), error);
  }

  private static @Nullable String error(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Succeeded<?> _ -> null;
      case Outcome.Unclear<?>(_, var doubt) ->
          doubt == Outcome.Doubt.PENDING ? "job ID not yet assigned" : "no clear answer";
      case Outcome.Failed<?>(var failure) -> failure.code();
    };
  }

  @Override
  public void fenced(String id) {
    errors.remove(id);
  }

  @Override
  public <D> void changed(SagaDefinition<D> saga, String id, State<D> before, State<D> after) {
    var error = errors.remove(id);
    if (!(after.data() instanceof Order order) || order.trip() == null) return;
    var cause = after.trail().cause();
    if (cause != null && before.trail().cause() == null) {
      ended(id, order, before, after, error);
    } else if (cause == null
        && error != null
        && after.progress() instanceof Asking(var step, _, var asks, _, _)
        && step.equals(RideSaga.JOB)) {
      about(log.atWarn(), id)
          .addKeyValue("attempt", asks)
          .addKeyValue("elapsed", elapsed(order.ride()))
          .addKeyValue("error", error)
          .log("Retrying BBD Job ID retrieval");
    }
  }

  private void ended(
      String id, Order order, State<?> before, State<?> after, @Nullable String error) {
    var cause = after.trail().cause();
    if (cause == null) return;
    if (order.ride().job() == null && isForGood(cause, before)) {
      about(log.atError(), id)
          .addKeyValue("total_attempts", asks(before) + (error == null ? 0 : 1))
          .addKeyValue("total_duration", elapsed(order.ride()))
          .addKeyValue("error", cause.code())
          .log("Failed to retrieve Job ID after max retries");
    }
    var status = Standing.statusOf(id, order, after.progress(), after.trail());
    if (status.equals(Closing.AFTER_PAYMENT)) {
      about(log.atWarn(), id)
          .addKeyValue("cause", cause.code())
          .log("Order cancelled after payment - manual refund required");
    }
  }

  /// Time ran out, or the partner refused to tell: not that somebody cancelled the ride.
  private static boolean isForGood(Failure cause, State<?> before) {
    if (cause instanceof Failure.Expired) return true;
    return !(cause instanceof Failure.Cancelled)
        && before.progress() instanceof Asking asking
        && asking.step().equals(RideSaga.JOB);
  }

  private static int asks(State<?> before) {
    return before.progress() instanceof Asking asking && asking.step().equals(RideSaga.JOB)
        ? asking.asks()
        : 0;
  }

  private String elapsed(Trip trip) {
    return Duration.between(trip.wish().acceptedAt(), clock.instant()).toString();
  }

  private static LoggingEventBuilder about(LoggingEventBuilder line, String id) {
    return line.addKeyValue("order_id", id);
  }
}
