package dev.tuntas.server.wiring;

import dev.tuntas.engine.StoreException;
import dev.tuntas.store.Tables;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Ready means that the truth can be read.
@Configuration(proxyBeanMethods = false)
class HealthWiring {

  @Bean
  HealthIndicator storeHealthIndicator(Tables accessTables) {
    return () -> {
      try {
        accessTables.ping();
        return Health.up().build();
      } catch (StoreException e) {
        return Health.down(e).build();
      }
    };
  }
}
