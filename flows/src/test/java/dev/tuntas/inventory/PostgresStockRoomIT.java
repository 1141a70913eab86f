package dev.tuntas.inventory;

import dev.tuntas.TestPostgres;
import dev.tuntas.store.Tables;

class PostgresStockRoomIT extends InventoryContract {

  @Override
  protected Tables open() {
    return Tables.postgres(TestPostgres.newDatabase(), StockRoom.TABLES);
  }
}
