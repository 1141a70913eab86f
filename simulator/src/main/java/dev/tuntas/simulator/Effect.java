package dev.tuntas.simulator;

import dev.tuntas.inventory.Goods;
import dev.tuntas.money.Money;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something that a partner has carried out: one line of its ledger.
///
/// @param amount what was charged or refunded, or the price of the goods if it is known
/// @param units the goods, of a warehouse
public record Effect(
    Instant at,
    String operation,
    String key,
    String orderId,
    @Nullable Money amount,
    String result,
    List<Unit> units) {

  /// So many of an item, or of a room on one night.
  ///
  /// @param thing `SKU-1`, or `ROOM-STD 2027-01-10`
  public record Unit(String thing, int quantity) {}

  public Effect {
    units = List.copyOf(units);
  }

  static List<Unit> unitsOf(Goods goods) {
    return switch (goods) {
      case Goods.Lines(var lines) ->
          lines.stream().map(line -> new Unit(line.sku(), line.quantity())).toList();
      case Goods.Stay stay ->
          stay.nights().stream()
              .map(night -> new Unit(stay.roomId() + " " + night, stay.rooms()))
              .toList();
    };
  }
}
