package dev.tuntas.inventory;

import dev.tuntas.money.Money;
import dev.tuntas.saga.Outcome;
import dev.tuntas.saga.Outcome.Failed;
import dev.tuntas.saga.Outcome.Succeeded;
import dev.tuntas.saga.Outcome.Unclear;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/// What there is to buy, and for how much. In process or over HTTP.
public interface Catalogue {

  /// The prices of those items that exist.
  Outcome<Map<String, Money>> items(Collection<String> skus);

  /// The prices, for one night, of those rooms that exist.
  Outcome<Map<String, Money>> rooms(Collection<String> roomIds);

  /// What the goods cost today. Declined as `sku_unknown`, `room_unknown`, `currency_mixed` or
  /// `amount_overflow`.
  default Outcome<Money> quote(Goods goods) {
    var known =
        switch (goods) {
          case Goods.Lines(var lines) -> items(lines.stream().map(Goods.Line::sku).toList());
          case Goods.Stay stay -> rooms(List.of(stay.roomId()));
        };
    return switch (known) {
      case Succeeded(var prices) -> quote(goods, prices);
      case Failed(var failure) -> new Failed<>(failure);
      case Unclear(var why, var doubt) -> new Unclear<>(why, doubt);
    };
  }

  /// The same, of prices that were looked up before.
  static Outcome<Money> quote(Goods goods, Map<String, Money> prices) {
    try {
      return Outcome.done(Quote.of(goods, prices));
    } catch (Refusal refusal) {
      return Outcome.declined(refusal.code(), refusal.detail());
    }
  }
}
