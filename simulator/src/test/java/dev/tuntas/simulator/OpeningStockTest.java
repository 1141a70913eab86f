package dev.tuntas.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.inventory.StockList;
import dev.tuntas.inventory.StockSettings;
import dev.tuntas.money.Money;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class OpeningStockTest {

  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");

  @Test
  void the_catalogue_of_the_contract_is_there_and_changes_survive() {
    try (var tables = Tables.inMemory(TableSet.of("inventory"))) {
      var stock = new StockList(tables, InstantSource.fixed(NOW), StockSettings.defaults());
      OpeningStock.fill(stock);

      for (int i = 1; i <= 20; i++) {
        assertThat(stock.item("SKU-" + i).orElseThrow().available()).isEqualTo(1_000_000);
      }
      assertThat(stock.item("SKU-RARE").orElseThrow().available()).isEqualTo(100);
      for (var room : new String[] {"ROOM-STD", "ROOM-DLX"}) {
        var view = stock.room(room, LocalDate.of(2027, 3, 1)).orElseThrow();
        assertThat(view.available()).isEqualTo(10);
        assertThat(view.price().currency()).isEqualTo("IDR");
      }

      stock.putItem("SKU-RARE", 7, new Money(5, "IDR"));
      OpeningStock.fill(stock);
      assertThat(stock.item("SKU-RARE").orElseThrow().available()).isEqualTo(7);
    }
  }
}
