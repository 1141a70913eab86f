package dev.tuntas.server.orders;

import dev.tuntas.orders.Order;
import dev.tuntas.orders.OrderBook;
import dev.tuntas.orders.OrderDesk;
import dev.tuntas.orders.Standing;
import dev.tuntas.orders.UnreadableOrderException;
import dev.tuntas.server.access.Caller;
import dev.tuntas.server.access.Role;
import dev.tuntas.server.http.Cursors;
import dev.tuntas.server.http.ListQuery;
import dev.tuntas.server.http.Page;
import dev.tuntas.server.settings.Here;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Conditional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// Lists orders, newest first: a client's own, or all of them to operators.
@RestController
@Conditional(Here.Web.class)
class OrderListController {

  /// Sorts after every id.
  private static final String AFTER_ALL = "ord_~";

  /// So many open orders are looked at for one page of those in a certain status.
  private static final int LOOKED_AT_MAX = 2_000;

  /// @param stoppedAt the last order that was looked at, if there may be more after it
  private record Found(List<ListedOrder> orders, @Nullable String stoppedAt) {}

  private final OrderBook book;
  private final OrderDesk desk;
  private final OrderJson json;
  private final Cursors cursors;

  OrderListController(OrderBook book, OrderDesk desk, OrderJson json, Cursors cursors) {
    this.book = book;
    this.desk = desk;
    this.json = json;
    this.cursors = cursors;
  }

  @GetMapping("/api/v1/orders")
  Page<Map<String, Object>> list(HttpServletRequest request, Caller caller) {
    var query = ListQuery.of(request, cursors, "kind", "status", "customer_id", "needs_attention");
    var status = query.filter("status").orElse(null);
    if (status != null && !OrderJson.statuses().contains(status)) {
      throw ListQuery.invalid("There is no status '" + status + "'.");
    }
    var filter =
        new OrderBook.Filter(
            caller.may(Role.VIEWER) ? null : caller.client(),
            query.filter("kind", Order.Kind.class).map(Order.Kind::apiName).orElse(null),
            query.filter("customer_id").orElse(null),
            query.flag("needs_attention").orElse(null));
    var found = find(filter, status, query.position().orElse(AFTER_ALL), query.limit() + 1);
    return query.page(found.orders, found.stoppedAt, ListedOrder::id, json::line);
  }

  private Found find(OrderBook.Filter filter, @Nullable String status, String below, int limit) {
    if (status == null) return looked(filter, null, false, below, limit);
    if (Standing.isEnd(status)) return new Found(ended(filter, status, below, limit), null);
    if (!status.equals(Standing.FAILED)) return looked(filter, status, true, below, limit);
    // A failed one may be open: when a person must look at it.
    var failed = ended(filter, status, below, limit);
    if (Boolean.FALSE.equals(filter.needsAttention())) return new Found(failed, null);
    var attention = new OrderBook.Filter(filter.client(), filter.kind(), filter.customerId(), true);
    var held = looked(attention, status, true, below, limit);
    var both =
        Stream.concat(failed.stream(), held.orders.stream())
            .filter(it -> held.stoppedAt == null || it.id().compareTo(held.stoppedAt) >= 0)
            .sorted(Comparator.comparing(ListedOrder::id).reversed())
            .limit(limit)
            .toList();
    return new Found(both, held.stoppedAt);
  }

  private List<ListedOrder> ended(OrderBook.Filter filter, String status, String below, int limit) {
    return book.list(filter, status, false, below, limit).stream().map(this::listed).toList();
  }

  /// Where an open order stands is known to the order alone, so that these are looked at one by
  /// one.
  private Found looked(
      OrderBook.Filter filter, @Nullable String status, boolean open, String below, int limit) {
    var found = new ArrayList<ListedOrder>();
    var from = below;
    for (int looked = 0; looked < LOOKED_AT_MAX; looked += limit) {
      var lines = book.list(filter, null, open, from, limit);
      for (var line : lines) {
        var listed = listed(line);
        if (isWanted(listed, status, filter.needsAttention())) found.add(listed);
        if (found.size() == limit) return new Found(found, null);
      }
      if (lines.size() < limit) return new Found(found, null);
      from = lines.getLast().id();
    }
    return new Found(found, from);
  }

  private static boolean isWanted(
      ListedOrder order, @Nullable String status, @Nullable Boolean needsAttention) {
    return (status == null || order.status().equals(status))
        && (needsAttention == null || order.needsAttention() == needsAttention);
  }

  private ListedOrder listed(OrderBook.Line line) {
    var status = line.status();
    if (status != null) return ListedOrder.ended(line, status);
    try {
      return desk.find(line.id())
          .map(view -> ListedOrder.open(line, view))
          .orElseGet(() -> ListedOrder.ended(line, Standing.ACCEPTED));
    } catch (UnreadableOrderException _) {
      return ListedOrder.ended(line, "UNKNOWN"); // the others can still be listed
    }
  }
}
