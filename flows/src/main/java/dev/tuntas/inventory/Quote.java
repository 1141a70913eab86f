package dev.tuntas.inventory;

import dev.tuntas.inventory.Goods.Line;
import dev.tuntas.inventory.Goods.Lines;
import dev.tuntas.inventory.Goods.Stay;
import dev.tuntas.money.Money;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;

/// Adds up prices.
final class Quote {

  private Quote() {}

  /// What goods cost, in all, or a refusal.
  static Money of(Goods goods, Map<String, Money> prices) {
    return switch (goods) {
      case Lines(var lines) -> sum(lines, prices);
      case Stay(var room, var rooms, var checkIn, var checkOut) ->
          times(
              price(room, prices, "room_unknown"),
              rooms * ChronoUnit.DAYS.between(checkIn, checkOut));
    };
  }

  private static Money sum(List<Line> lines, Map<String, Money> prices) {
    Money sum = null;
    for (var line : lines) {
      var price = times(price(line.sku(), prices, "sku_unknown"), line.quantity());
      sum = sum == null ? price : plus(sum, price);
    }
    if (sum == null) throw new Refusal("lines_invalid", "There are no lines.");
    return sum;
  }

  private static Money price(String id, Map<String, Money> prices, String unknown) {
    var price = prices.get(id);
    if (price == null) throw new Refusal(unknown, "There is no " + id + " in the catalogue.");
    return price;
  }

  private static Money plus(Money one, Money other) {
    if (!one.currency().equals(other.currency())) {
      throw new Refusal(
          "currency_mixed",
          "Goods priced in " + one.currency() + " and " + other.currency() + " need two orders.");
    }
    return one.plus(other).orElseThrow(Quote::tooMuch);
  }

  private static Money times(Money price, long count) {
    return price.times(count).orElseThrow(Quote::tooMuch);
  }

  private static Refusal tooMuch() {
    return new Refusal("amount_overflow", "The total is larger than " + Money.AMOUNT_MAX + ".");
  }
}
