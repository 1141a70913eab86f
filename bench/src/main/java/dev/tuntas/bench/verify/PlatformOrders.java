package dev.tuntas.bench.verify;

import dev.tuntas.orders.OrderCensus;
import dev.tuntas.orders.OrderCensus.Counted;
import dev.tuntas.simulator.verify.Evidence;
import dev.tuntas.simulator.verify.StoredEvidence;
import dev.tuntas.store.JacksonDataCodec;
import dev.tuntas.store.Tables;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// The orders as the platform tells them, with what people have decided about them.
final class PlatformOrders implements StoredEvidence.Orders {

  private static final String ON_A_DESK =
      """
      select order_id from support_ticket where status <> 'resolved'
      union select order_id from support_refund where status not in ('done', 'refused')
      """;
  private static final String GIVEN_BACK =
      "select order_id from support_refund where whole and status = 'done'";

  private final OrderCensus census;
  private final Set<String> onADesk;
  private final Set<String> givenBack;

  PlatformOrders(Tables tables) {
    this.census = new OrderCensus(tables, new JacksonDataCodec());
    this.onADesk = ids(tables, ON_A_DESK);
    this.givenBack = ids(tables, GIVEN_BACK);
  }

  static Set<String> ids(Tables tables, String query) {
    return tables.read(
        "read ids", session -> new HashSet<>(session.list(query, row -> row.getString(1))));
  }

  @Override
  public void each(Consumer<Evidence.Order> taker) {
    eachPage(page -> page.forEach(order -> taker.accept(told(order))));
  }

  void eachPage(Consumer<List<Counted>> taker) {
    census.eachPage(taker);
  }

  private Evidence.Order told(Counted counted) {
    var standing = counted.standing();
    return new Evidence.Order(
        counted.id(),
        standing.status(),
        counted.order().total(),
        standing.needsAttention() || onADesk.contains(counted.id()),
        givenBack.contains(counted.id()));
  }
}
