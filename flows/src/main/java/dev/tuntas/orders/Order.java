package dev.tuntas.orders;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tuntas.inventory.Goods;
import dev.tuntas.inventory.Inventory;
import dev.tuntas.money.Money;
import dev.tuntas.payment.Payments;
import dev.tuntas.rides.Trip;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// An order as its saga carries it: who wants what, at the price that was frozen when it was
/// accepted, and what was paid so far. It names no person but by id.
public record Order(
    Kind kind,
    Origin origin,
    Wish wish,
    Money total,
    @Nullable Paid paid,
    @Nullable Money refunded,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Trip trip) {

  private static final String NO_RECEIPT = "no-receipt";

  public enum Kind {
    CHECKOUT,
    BOOKING,
    RIDE;

    /// As the API writes it.
    public String apiName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// Where it came from.
  ///
  /// @param story the definition of its saga, which it keeps to its end
  /// @param pageToken what makes the link of the customer's page unguessable
  /// @param trace the trace of the request that placed it, as a W3C `traceparent`, if it has one
  public record Origin(
      String client,
      String customerId,
      String story,
      String pageToken,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String trace) {

    public Origin(String client, String customerId, String story, String pageToken) {
      this(client, customerId, story, pageToken, null);
    }
  }

  /// What is wanted from our own shelves: lines, or a stay, or nothing.
  public record Wish(
      List<Goods.Line> lines,
      Goods.@Nullable Stay stay,
      @Nullable String cartId,
      String paymentMethod) {

    public Wish {
      lines = List.copyOf(lines);
    }

    public static final Wish NOTHING = new Wish(List.of(), null, null, "");

    public static Wish of(List<Goods.Line> lines, @Nullable String cartId, String paymentMethod) {
      return new Wish(lines, null, cartId, paymentMethod);
    }

    public static Wish of(Goods.Stay stay, String paymentMethod) {
      return new Wish(List.of(), stay, null, paymentMethod);
    }

    public Goods goods() {
      return stay != null ? stay : new Goods.Lines(lines);
    }
  }

  /// The charge.
  public record Paid(String transactionId, Money amount) {}

  public static Order of(Kind kind, Origin origin, Wish wish, Money total) {
    return new Order(kind, origin, wish, total, null, null, null);
  }

  /// A ride, whose money is taken by somebody else.
  public static Order ride(Origin origin, Trip trip, Money total) {
    return new Order(Kind.RIDE, origin, Wish.NOTHING, total, null, null, trip);
  }

  /// What only a ride has.
  public Trip ride() {
    if (trip == null) throw new IllegalStateException("the order is no ride");
    return trip;
  }

  Order with(Trip now) {
    return new Order(kind, origin, wish, total, paid, refunded, now);
  }

  Order charged(Payments.Receipt receipt) {
    var charge = new Paid(receipt.transactionId(), receipt.amount());
    return new Order(kind, origin, wish, total, charge, refunded, trip);
  }

  /// A person has found out that the charge happened. Nobody has its receipt.
  Order chargedByRuling() {
    var charge = new Paid(NO_RECEIPT, total);
    return new Order(kind, origin, wish, total, charge, refunded, trip);
  }

  Order refunded(Payments.Receipt receipt) {
    return new Order(kind, origin, wish, total, paid, receipt.amount(), trip);
  }

  Inventory.Request goodsFor(String orderId) {
    return new Inventory.Request(orderId, wish.goods(), total);
  }
}
