package dev.tuntas.orders;

import dev.tuntas.engine.DataCodec;
import dev.tuntas.engine.HistoryLine;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaView;
import dev.tuntas.engine.StepView;
import dev.tuntas.saga.SagaDefinition;
import dev.tuntas.store.Session;
import dev.tuntas.store.Stores;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads orders out of their sagas.
public final class OrderReader {

  /// Sagas in the store, or as a transaction sees them.
  private interface Sagas<X extends Exception> {
    Optional<SagaRow> find(String id) throws X;

    List<HistoryLine> history(String id) throws X;
  }

  private final Stores stores;
  private final DataCodec codec;
  private final Map<String, SagaDefinition<Order>> stories = new HashMap<>();

  public OrderReader(Stores stores, DataCodec codec, OrderSagas known) {
    this.stores = stores;
    this.codec = codec;
    for (var story : known.all()) stories.put(story.toString(), story);
  }

  /// An order as it is now, with all its steps.
  public Optional<OrderView> find(String orderId) {
    return find(
        new Sagas<RuntimeException>() {
          @Override
          public Optional<SagaRow> find(String id) {
            return stores.sagas().find(id);
          }

          @Override
          public List<HistoryLine> history(String id) {
            return stores.sagas().history(id);
          }
        },
        orderId);
  }

  /// The same as a transaction sees it.
  public Optional<OrderView> find(Session session, String orderId) throws SQLException {
    return find(
        new Sagas<SQLException>() {
          @Override
          public Optional<SagaRow> find(String id) throws SQLException {
            return stores.find(session, id);
          }

          @Override
          public List<HistoryLine> history(String id) throws SQLException {
            return stores.history(session, id);
          }
        },
        orderId);
  }

  private <X extends Exception> Optional<OrderView> find(Sagas<X> sagas, String orderId) throws X {
    if (!OrderIds.isOne(orderId)) return Optional.empty();
    var row = sagas.find(orderId);
    if (row.isEmpty()) return Optional.empty();
    var view = view(SagaView.of(row.get(), null), sagas.history(orderId));
    return Optional.of(cancelled(sagas, view));
  }

  /// Only what recovery confirmed can be cancelled after it was.
  private <X extends Exception> OrderView cancelled(Sagas<X> sagas, OrderView view) throws X {
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

  private OrderView view(SagaView saga, List<HistoryLine> history) {
    var order = order(saga);
    var story = stories.get(order.origin().story());
    if (story == null) {
      throw new IllegalStateException("order " + saga.id() + " has a story nobody knows");
    }
    return new OrderView(
        saga.id(),
        order,
        Standing.of(order, saga.progress(), saga.trail()),
        StepView.of(story, saga, history),
        saga.version(),
        saga.createdAt(),
        saga.movedAt(),
        saga.trail().facts());
  }
}
