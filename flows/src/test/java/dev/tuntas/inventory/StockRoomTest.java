package dev.tuntas.inventory;

import dev.tuntas.store.Tables;

class StockRoomTest extends InventoryContract {

  @Override
  protected Tables open() {
    return Tables.inMemory(StockRoom.TABLES);
  }
}
