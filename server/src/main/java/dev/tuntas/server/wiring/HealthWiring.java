package dev.tuntas.server.wiring;

import dev.tuntas.engine.StoreException;
import dev.tuntas.server.watch.Watchdog;
import dev.tuntas.store.Tables;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// Ready means that the truth can be read, and that what is decided can be written.
@Configuration(proxyBeanMethods = false)
class HealthWiring {

  @Bean
  HealthIndicator storeHealthIndicator(Tables accessTables, ObjectProvider<Watchdog> watchdog) {
    var dog = watchdog.getIfAvailable();
    return () -> {
      var trouble = dog == null ? Optional.<String>empty() : dog.trouble();
      if (trouble.isPresent()) return Health.down().withDetail("trouble", trouble.get()).build();
      try {
        accessTables.ping();
        return Health.up().build();
      } catch (StoreException e) {
        return Health.down(e).build();
      }
    };
  }
}
