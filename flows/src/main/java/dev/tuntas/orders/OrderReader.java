package dev.tuntas.orders;

import dev.tuntas.engine.DataCodec;
import dev.tuntas.engine.SagaStore;
import dev.tuntas.engine.SagaView;
import dev.tuntas.engine.StepView;
import dev.tuntas.saga.SagaDefinition;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Reads orders out of their sagas.
public final class OrderReader {

  private final SagaStore sagas;
  private final DataCodec codec;
  private final Map<String, SagaDefinition<Order>> stories = new HashMap<>();

  public OrderReader(SagaStore sagas, DataCodec codec, OrderSagas known) {
    this.sagas = sagas;
    this.codec = codec;
    for (var story : known.all()) stories.put(story.toString(), story);
  }

  /// An order as it is now, with all its steps.
  public Optional<OrderView> find(String orderId) {
    if (!OrderIds.isOne(orderId)) return Optional.empty();
    return sagas.find(orderId).map(row -> view(SagaView.of(row, null))).map(this::cancelled);
  }

  /// Only what recovery confirmed can be cancelled after it was.
  private OrderView cancelled(OrderView view) {
    if (!view.standing().recoveryConfirmed()) return view;
    var row = sagas.find(OrderSagas.cancelling(view.id()));
    if (row.isEmpty()) return view;
    var saga = SagaView.of(row.get(), null);
    var order = order(saga);
    return new OrderView(
        view.id(),
        order,
        Standing.cancelled(order, saga.progress()),
        view.steps(),
        view.version() + saga.version(),
        view.createdAt(),
        saga.movedAt(),
        view.facts());
  }

  private Order order(SagaView saga) {
    try {
      return codec.decode(saga.data(), Order.class);
    } catch (RuntimeException e) {
      throw new UnreadableOrderException(saga.id(), e);
    }
  }

  private OrderView view(SagaView saga) {
    var order = order(saga);
    var story = stories.get(order.origin().story());
    if (story == null) {
      throw new IllegalStateException("order " + saga.id() + " has a story nobody knows");
    }
    return new OrderView(
        saga.id(),
        order,
        Standing.of(order, saga.progress(), saga.trail()),
        StepView.of(story, saga, sagas.history(saga.id())),
        saga.version(),
        saga.createdAt(),
        saga.movedAt(),
        saga.trail().facts());
  }
}
