package dev.tuntas.inventory;

import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;

class StockRoomTest extends InventoryContract {

  @Override
  protected Tables open() {
    return Tables.inMemory(TableSet.of("inventory"));
  }
}
