package dev.tuntas.inventory;

import dev.tuntas.store.Tables;

class PostgresStockRacesIT extends StockRaces {

  @Override
  Tables open() {
    return PostgresStock.empty();
  }
}
