package dev.tuntas.inventory;

import dev.tuntas.store.Tables;

class PostgresStockRoomIT extends InventoryContract {

  @Override
  protected Tables open() {
    return PostgresStock.empty();
  }
}
