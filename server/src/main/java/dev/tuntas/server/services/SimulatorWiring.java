package dev.tuntas.server.services;

import dev.tuntas.inventory.StockList;
import dev.tuntas.server.settings.Here;
import dev.tuntas.simulator.OpeningStock;
import dev.tuntas.simulator.Pause;
import dev.tuntas.simulator.SimulatedBank;
import dev.tuntas.simulator.SimulatedWarehouse;
import dev.tuntas.simulator.Weather;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// A simulated bank, and bad weather before our own warehouse and carts.
@Configuration(proxyBeanMethods = false)
@Conditional(Here.Simulator.class)
class SimulatorWiring {

  @Bean
  Tables bankTables(ServiceTables tables) {
    return tables.open(SimulatedBank.TABLES);
  }

  @Bean
  Tables warehouseTables(ServiceTables tables) {
    return tables.open(SimulatedWarehouse.TABLES);
  }

  @Bean
  Weather bankWeather() {
    return weather();
  }

  @Bean
  Weather warehouseWeather() {
    return weather();
  }

  @Bean
  Weather cartWeather() {
    return weather();
  }

  private static Weather weather() {
    return new Weather(RandomGenerator.getDefault(), Pause.blocking());
  }

  /// Something to sell, before the first request.
  @Bean
  SmartInitializingSingleton openingStock(ObjectProvider<StockList> stock) {
    return () -> stock.ifAvailable(OpeningStock::fill);
  }

  @Bean
  SimulatedBank bank(Tables bankTables, Weather bankWeather, InstantSource clock) {
    return new SimulatedBank(bankTables, bankWeather, clock);
  }
}
