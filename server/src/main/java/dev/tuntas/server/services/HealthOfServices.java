package dev.tuntas.server.services;

import dev.tuntas.server.observe.LogGauges;
import dev.tuntas.store.Tables;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Map;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// How the databases of the services fare that run here, few or none. All tables are asked for, so
/// that these are made after them and closed before them.
@Configuration(proxyBeanMethods = false)
class HealthOfServices {

  @Bean
  WriteProofs servicesHealthIndicator(ServiceTables services, Map<String, Tables> all) {
    return new WriteProofs(services.opened());
  }

  @Bean
  MeterBinder serviceLogGauges(ServiceTables services, Map<String, Tables> all) {
    return registry ->
        services.opened().forEach((name, tables) -> LogGauges.bind(name, tables::log, registry));
  }
}
