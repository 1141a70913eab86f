package dev.tuntas.server.observe;

import dev.tuntas.engine.EngineListener;
import dev.tuntas.engine.Progress.Held;
import dev.tuntas.engine.State;
import dev.tuntas.orders.Order;
import dev.tuntas.orders.OrderSagas;
import dev.tuntas.orders.Standing;
import dev.tuntas.saga.SagaDefinition;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/// How many orders were accepted, and how many entered each status. Every process counts what it
/// did itself: the sum over all of them is the truth.
public final class OrderMeters implements EngineListener {

  private final Map<String, Counter> entries = new HashMap<>();
  private final Map<SagaDefinition<?>, Counter> accepted = new HashMap<>();
  private final SagaDefinition<Order> cancellation;
  private final Counter updated;
  private final Counter notUpdated;

  public OrderMeters(OrderSagas sagas, MeterRegistry registry) {
    for (var status : Standing.STATUSES) {
      entries.put(
          status,
          Counter.builder("order_status_count")
              .description("Orders that entered a status")
              .tag("status", status)
              .register(registry));
    }
    var byKind = new EnumMap<Order.Kind, Counter>(Order.Kind.class);
    for (var kind : Order.Kind.values()) byKind.put(kind, accepted(kind, registry));
    accepted.put(sagas.payFirst(), byKind.get(Order.Kind.CHECKOUT));
    accepted.put(sagas.reserveFirst(), byKind.get(Order.Kind.CHECKOUT));
    accepted.put(sagas.booking(), byKind.get(Order.Kind.BOOKING));
    cancellation = sagas.cancellation();
    updated = updates("success", registry);
    notUpdated = updates("failed", registry);
  }

  private static Counter accepted(Order.Kind kind, MeterRegistry registry) {
    return Counter.builder("orders_accepted_total")
        .description("Orders that were accepted")
        .tag("kind", kind.apiName())
        .register(registry);
  }

  private static Counter updates(String result, MeterRegistry registry) {
    return Counter.builder("order_status_update_total")
        .description("Changes of an order's status that were stored, or that no store would take")
        .tag("result", result)
        .register(registry);
  }

  @Override
  public void started(SagaDefinition<?> saga, String id) {
    var ofKind = accepted.get(saga);
    if (ofKind != null) ofKind.increment();
    if (ofKind != null) entered(Standing.ACCEPTED);
    else if (saga == cancellation) entered(Standing.REFUND_PENDING);
  }

  @Override
  public <D> void changed(SagaDefinition<D> saga, String id, State<D> before, State<D> after) {
    if (!(before.data() instanceof Order old) || !(after.data() instanceof Order now)) return;
    if (after.progress() instanceof Held(_, var why) && why.code().equals("UNSTORABLE")) {
      notUpdated.increment();
    }
    var was = Standing.statusOf(id, old, before.progress());
    var is = Standing.statusOf(id, now, after.progress());
    if (!is.equals(was)) entered(is);
  }

  private void entered(String status) {
    updated.increment();
    var counter = entries.get(status);
    if (counter != null) counter.increment();
  }
}
