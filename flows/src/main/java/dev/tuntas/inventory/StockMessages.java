package dev.tuntas.inventory;

import static java.util.Objects.requireNonNull;

import dev.tuntas.money.Money;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What orders and the inventory say to each other over the bus. Records refuse what makes no sense
/// when they are made, and so does whoever reads them.
final class StockMessages {

  static final String RESERVE = "RESERVE";
  static final String RELEASE = "RELEASE";
  static final String RESERVED = "RESERVED";
  static final String RESERVE_FAILED = "RESERVE_FAILED";
  static final String RELEASED = "RELEASED";
  static final String RELEASE_FAILED = "RELEASE_FAILED";
  static final String PAYMENT_FAILED = "PAYMENT_FAILED";
  static final String ORDER_TIMEOUT = "ORDER_TIMEOUT";

  /// @param key that of the effect
  record Reserve(
      String orderId,
      String key,
      @Nullable List<Goods.Line> lines,
      Goods.@Nullable Stay stay,
      @Nullable Money total) {

    Reserve {
      requireNonNull(orderId, "order_id");
      requireNonNull(key, "key");
      if ((lines == null) == (stay == null)) {
        throw new IllegalArgumentException("lines or a stay, and not both");
      }
    }

    static Reserve of(Inventory.Request request, String key) {
      return switch (request.goods()) {
        case Goods.Lines(var lines) ->
            new Reserve(request.orderId(), key, lines, null, request.total());
        case Goods.Stay stay -> new Reserve(request.orderId(), key, null, stay, request.total());
      };
    }

    Inventory.Request request() {
      var goods = lines == null ? requireNonNull(stay) : new Goods.Lines(lines);
      return new Inventory.Request(orderId, goods, total);
    }
  }

  record Release(String orderId, String key) {
    Release {
      requireNonNull(orderId, "order_id");
      requireNonNull(key, "key");
    }
  }

  /// An event about an order as a whole.
  record AboutOrder(String orderId) {
    AboutOrder {
      requireNonNull(orderId, "order_id");
    }
  }

  record Reserved(
      String orderId, String key, String reservationId, @Nullable Instant expiresAt, Money total) {
    Reserved {
      requireNonNull(orderId, "order_id");
      requireNonNull(key, "key");
      requireNonNull(reservationId, "reservation_id");
      requireNonNull(total, "total");
    }
  }

  /// Why something was not reserved, or not released.
  record Declined(String orderId, String key, String code, String detail) {
    Declined {
      requireNonNull(orderId, "order_id");
      requireNonNull(key, "key");
      requireNonNull(code, "code");
      requireNonNull(detail, "detail");
    }
  }

  record Released(String orderId, String key, String result) {
    Released {
      requireNonNull(orderId, "order_id");
      requireNonNull(key, "key");
      requireNonNull(result, "result");
    }
  }

  private StockMessages() {}
}
