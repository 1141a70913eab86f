package dev.tuntas.server.bus;

import dev.tuntas.bus.BusTrace;
import dev.tuntas.orders.OrderReader;
import dev.tuntas.server.observe.LogFields;
import dev.tuntas.server.observe.Traces;
import io.opentelemetry.api.trace.SpanKind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The way of messages over the bus, in the traces that orders carry with them.
final class OrderTraces implements BusTrace {

  private static final Logger log = LoggerFactory.getLogger(OrderTraces.class);

  private final Traces traces;
  private final OrderReader orders;

  OrderTraces(Traces traces, OrderReader orders) {
    this.traces = traces;
    this.orders = orders;
  }

  @Override
  public Optional<String> sending(String kind, String sagaId) {
    var order = traces.isOn() ? LogFields.orderIn(sagaId) : null;
    if (order == null) return Optional.empty();
    return traces.note(SpanKind.PRODUCER, "send " + kind, order, traceOf(order));
  }

  /// A bell is not worth a failure.
  private @Nullable String traceOf(String orderId) {
    try {
      return orders.find(orderId).map(it -> it.order().origin().trace()).orElse(null);
    } catch (RuntimeException e) {
      log.debug("the trace of an order cannot be read", e);
      return null;
    }
  }

  @Override
  public void heard(String kind, String sagaId, @Nullable String trace) {
    var order = String.valueOf(LogFields.orderIn(sagaId));
    traces.note(SpanKind.CONSUMER, "receive " + kind, order, trace);
  }
}
