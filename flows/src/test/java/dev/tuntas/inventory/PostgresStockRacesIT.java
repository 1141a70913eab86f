package dev.tuntas.inventory;

import dev.tuntas.TestPostgres;
import dev.tuntas.store.Tables;

class PostgresStockRacesIT extends StockRaces {

  @Override
  Tables open() {
    return Tables.postgres(TestPostgres.newDatabase(), StockRoom.TABLES);
  }
}
