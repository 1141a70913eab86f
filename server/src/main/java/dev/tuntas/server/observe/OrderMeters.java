package dev.tuntas.server.observe;

import dev.tuntas.engine.EngineListener;
import dev.tuntas.orders.Order;
import dev.tuntas.orders.OrderSagas;
import dev.tuntas.saga.SagaDefinition;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/// How many orders were accepted. Every process counts what it did itself: the sum over all of them
/// is the truth.
public final class OrderMeters implements EngineListener {

  private final Map<SagaDefinition<?>, Counter> accepted = new HashMap<>();

  public OrderMeters(OrderSagas sagas, MeterRegistry registry) {
    var byKind = new EnumMap<Order.Kind, Counter>(Order.Kind.class);
    for (var kind : Order.Kind.values()) byKind.put(kind, accepted(kind, registry));
    accepted.put(sagas.payFirst(), byKind.get(Order.Kind.CHECKOUT));
    accepted.put(sagas.reserveFirst(), byKind.get(Order.Kind.CHECKOUT));
    accepted.put(sagas.booking(), byKind.get(Order.Kind.BOOKING));
    for (var ride : sagas.rides()) accepted.put(ride, byKind.get(Order.Kind.RIDE));
  }

  private static Counter accepted(Order.Kind kind, MeterRegistry registry) {
    return Counter.builder("orders_accepted_total")
        .description("Orders that were accepted")
        .tag("kind", kind.apiName())
        .register(registry);
  }

  @Override
  public void started(SagaDefinition<?> saga, String id) {
    var ofKind = accepted.get(saga);
    if (ofKind != null) ofKind.increment();
  }
}
