package dev.tuntas.server.services;

import dev.tuntas.inventory.Inventory;
import dev.tuntas.inventory.StockAudit;
import dev.tuntas.inventory.StockList;
import dev.tuntas.inventory.StockRoom;
import dev.tuntas.inventory.StockSettings;
import dev.tuntas.server.settings.Here;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.simulator.OpeningStock;
import dev.tuntas.simulator.SimulatedWarehouse;
import dev.tuntas.simulator.Weather;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// The inventory, when it runs in this process. The stock room is asked for by its name: where no
/// weather is simulated it is also what others call the inventory.
@Configuration(proxyBeanMethods = false)
@Conditional(Here.Inventory.class)
class InventoryWiring {

  @Bean
  Tables inventoryTables(ServiceTables tables) {
    return tables.open(StockRoom.TABLES);
  }

  @Bean
  StockSettings stockSettings(Settings settings) {
    return new StockSettings(settings.inventory().reservation().holdTtl(), ZoneOffset.UTC);
  }

  @Bean
  StockRoom stockRoom(Tables inventoryTables, InstantSource clock, StockSettings stock) {
    return new StockRoom(inventoryTables, clock, stock);
  }

  /// With a simulated warehouse there is something in it from the start.
  @Bean
  StockList stockList(
      Tables inventoryTables,
      InstantSource clock,
      StockSettings stock,
      @Qualifier("warehouseWeather") ObjectProvider<Weather> simulated) {
    var list = new StockList(inventoryTables, clock, stock);
    simulated.ifAvailable(_ -> OpeningStock.fill(list));
    return list;
  }

  @Bean
  StockAudit stockAudit(Tables inventoryTables) {
    return new StockAudit(inventoryTables);
  }

  @Bean
  HoldExpiry holdExpiry(StockRoom stockRoom, InstantSource clock, Settings settings) {
    var interval = settings.inventory().reservation().expiryJobInterval();
    return new HoldExpiry(stockRoom, clock, interval);
  }

  /// The stock room, behind the weather where that is simulated.
  @Bean
  Inventory ownInventory(
      StockRoom stockRoom,
      @Qualifier("warehouseTables") ObjectProvider<Tables> ledger,
      @Qualifier("warehouseWeather") ObjectProvider<Weather> weather,
      InstantSource clock) {
    var simulated = weather.getIfAvailable();
    return simulated == null
        ? stockRoom
        : new SimulatedWarehouse(stockRoom, ledger.getObject(), simulated, clock);
  }
}
