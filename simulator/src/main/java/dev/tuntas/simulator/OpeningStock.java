package dev.tuntas.simulator;

import dev.tuntas.inventory.StockList;
import dev.tuntas.inventory.StockView;
import dev.tuntas.money.Money;
import dev.tuntas.saga.Outcome;

/// What the simulated world has to sell: `SKU-1` to `SKU-20` in plenty, a hundred of `SKU-RARE`,
/// and ten rooms of each kind a night.
public final class OpeningStock {

  private static final int KINDS = 20;
  private static final long PLENTY = 1_000_000;
  private static final long RARE = 100;
  private static final long ROOMS = 10;

  private OpeningStock() {}

  /// Puts there what is missing. What somebody has changed since stays as it is.
  public static void fill(StockList stock) {
    for (int kind = 1; kind <= KINDS; kind++) {
      item(stock, "SKU-" + kind, PLENTY, 25_000L * kind);
    }
    item(stock, "SKU-RARE", RARE, 1_000_000);
    room(stock, "ROOM-STD", 450_000);
    room(stock, "ROOM-DLX", 900_000);
  }

  private static void item(StockList stock, String sku, long count, long price) {
    if (stock.item(sku).isEmpty()) require(sku, stock.putItem(sku, count, rupiah(price)));
  }

  private static void room(StockList stock, String roomId, long price) {
    if (stock.room(roomId, null).isPresent()) return;
    require(roomId, stock.putRoom(roomId, ROOMS, rupiah(price)));
  }

  private static Money rupiah(long price) {
    return new Money(price, "IDR");
  }

  private static void require(String what, Outcome<StockView> put) {
    if (put instanceof Outcome.Succeeded) return;
    throw new IllegalStateException(what + " could not be put in stock: " + put);
  }
}
