package dev.tuntas.server.observe;

import dev.tuntas.orders.Order;
import dev.tuntas.saga.Action;
import dev.tuntas.saga.Call;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.SagaDefinition;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One trace for each order, from the request that placed it to its last call. The order carries
/// the trace with its data, so that whoever goes on with it after a crash goes on with the trace.
/// Without an exporter it does nothing.
public final class Traces {

  private final @Nullable Tracer tracer;

  private Traces(@Nullable Tracer tracer) {
    this.tracer = tracer;
  }

  public static Traces with(Tracer tracer) {
    return new Traces(tracer);
  }

  public static Traces none() {
    return new Traces(null);
  }

  /// What this thread works on, as a `traceparent`, if it is traced.
  public Optional<String> current() {
    if (tracer == null) return Optional.empty();
    return text(Span.current().getSpanContext());
  }

  /// The same story, each of whose calls is a span in the trace of its order.
  public SagaDefinition<Order> watched(SagaDefinition<Order> story) {
    if (tracer == null) return story;
    var name = story.name();
    return story.rewired(
        step ->
            step.rewired(
                action -> spanned(tracer, name, "do", action),
                undo -> spanned(tracer, name, "undo", undo),
                probe -> spanned(tracer, name, "ask", probe)));
  }

  private static Action<Order> spanned(
      Tracer tracer, String saga, String direction, Action<Order> action) {
    return (order, call) -> {
      var trace = order.origin().trace();
      if (trace == null) return action.perform(order, call);
      var span = begun(tracer, saga, direction, call, trace);
      try (var _ = span.makeCurrent()) {
        var outcome = action.perform(order, call);
        tell(span, outcome);
        return outcome;
      } catch (Exception surprise) {
        // Its text may quote a partner, and does not belong into a trace.
        span.setStatus(StatusCode.ERROR, surprise.getClass().getSimpleName());
        throw surprise;
      } finally {
        span.end();
      }
    };
  }

  /// Notes that something was sent for an order, or came for it. Returns the `traceparent` of that,
  /// for whoever goes on; nothing if the order is not traced.
  public Optional<String> note(SpanKind kind, String name, String orderId, @Nullable String trace) {
    if (tracer == null || trace == null) return Optional.empty();
    var span =
        tracer
            .spanBuilder(name)
            .setParent(parent(trace))
            .setSpanKind(kind)
            .setAttribute("order.id", orderId)
            .startSpan();
    span.end();
    return text(span.getSpanContext());
  }

  public boolean isOn() {
    return tracer != null;
  }

  private static Optional<String> text(SpanContext span) {
    return span.isValid() && span.isSampled()
        ? Optional.of("00-" + span.getTraceId() + "-" + span.getSpanId() + "-01")
        : Optional.empty();
  }

  private static Span begun(Tracer tracer, String saga, String direction, Call call, String trace) {
    return tracer
        .spanBuilder(saga + " " + call.step())
        .setParent(parent(trace))
        .setSpanKind(SpanKind.CLIENT)
        .setAttribute("order.id", String.valueOf(LogFields.orderIn(call.sagaId())))
        .setAttribute("saga.name", saga)
        .setAttribute("saga.step", call.step())
        .setAttribute("saga.direction", direction)
        .setAttribute("saga.attempt", call.attempt())
        .setAttribute("saga.key", call.key())
        .startSpan();
  }

  private static void tell(Span span, Outcome<?> outcome) {
    var ending = StepMeters.Ending.of(outcome);
    span.setAttribute("saga.outcome", StepMeters.label(ending));
    if (outcome instanceof Outcome.Failed<?>(var failure)) {
      span.setAttribute("saga.failure", failure.code());
    }
    if (ending != StepMeters.Ending.SUCCEEDED) span.setStatus(StatusCode.ERROR);
  }

  private static Context parent(String trace) {
    return W3CTraceContextPropagator.getInstance().extract(Context.root(), trace, TraceParent.ONLY);
  }

  /// A header by itself.
  private enum TraceParent implements TextMapGetter<String> {
    ONLY;

    @Override
    public Iterable<String> keys(String trace) {
      return List.of("traceparent");
    }

    @Override
    public @Nullable String get(@Nullable String trace, String key) {
      return key.equals("traceparent") ? trace : null;
    }
  }
}
