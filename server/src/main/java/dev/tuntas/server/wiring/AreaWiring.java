package dev.tuntas.server.wiring;

import dev.tuntas.areas.AreaBook;
import dev.tuntas.audit.Audit;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.simulator.OpeningAreas;
import dev.tuntas.store.Stores;
import dev.tuntas.store.Tables;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Areas and admission, beside the orders in their database.
@Configuration(proxyBeanMethods = false)
class AreaWiring {

  @Bean
  Tables areaTables(Stores stores) {
    return stores.tables(AreaBook.TABLES);
  }

  /// In the simulated world there are areas from the start.
  @Bean
  AreaBook areaBook(Tables areaTables, Audit audit, Settings settings) {
    var book = new AreaBook(areaTables, audit::append);
    if (settings.roles().contains(Settings.Role.SIMULATOR)) OpeningAreas.fill(book);
    return book;
  }
}
