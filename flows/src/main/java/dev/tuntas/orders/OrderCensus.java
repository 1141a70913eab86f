package dev.tuntas.orders;

import dev.tuntas.engine.DataCodec;
import dev.tuntas.engine.SagaRow;
import dev.tuntas.engine.SagaView;
import dev.tuntas.store.SagaPages;
import dev.tuntas.store.Tables;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Reads all orders out of their sagas, page by page.
public final class OrderCensus {

  /// An order, where it stands, and since when.
  public record Counted(String id, Order order, Standing standing, Instant since) {}

  private static final int PAGE = 1_000;

  private final Tables tables;
  private final DataCodec codec;

  /// @param tables those of the engine
  public OrderCensus(Tables tables, DataCodec codec) {
    this.tables = tables;
    this.codec = codec;
  }

  /// Hands over all orders, by their id, in pages.
  public void eachPage(Consumer<List<Counted>> taker) {
    var after = "";
    while (true) {
      var from = after;
      var rows = tables.read("read sagas", session -> SagaPages.after(session, from, PAGE));
      if (rows.isEmpty()) return;
      var orders = rows.stream().filter(row -> OrderIds.isOne(row.id())).map(this::count).toList();
      if (!orders.isEmpty()) taker.accept(withCancellations(orders));
      after = rows.getLast().id();
    }
  }

  private Counted count(SagaRow row) {
    var saga = SagaView.of(row, null);
    var order = codec.decode(saga.data(), Order.class);
    var standing = Standing.of(order, saga.progress(), saga.trail());
    return new Counted(row.id(), order, standing, row.movedAt());
  }

  /// Only what recovery confirmed can be cancelled after it was.
  private List<Counted> withCancellations(List<Counted> orders) {
    var ids =
        orders.stream()
            .filter(order -> order.standing.recoveryConfirmed())
            .map(order -> OrderSagas.cancelling(order.id))
            .toList();
    if (ids.isEmpty()) return orders;
    Map<String, SagaRow> found = new HashMap<>();
    for (var row : tables.read("read cancellations", session -> SagaPages.of(session, ids))) {
      found.put(OrderSagas.orderOf(row.id()), row);
    }
    return orders.stream().map(order -> cancelled(order, found)).toList();
  }

  private Counted cancelled(Counted order, Map<String, SagaRow> cancellations) {
    var row = cancellations.get(order.id);
    if (row == null) return order;
    var saga = SagaView.of(row, null);
    var data = codec.decode(saga.data(), Order.class);
    return new Counted(order.id, data, Standing.cancelled(data, saga.progress()), row.movedAt());
  }
}
