package dev.tuntas.server.wiring;

import dev.tuntas.engine.Engine;
import dev.tuntas.engine.StoreException;
import dev.tuntas.server.settings.Here;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.server.watch.FreshStart;
import dev.tuntas.server.watch.Watchdog;
import dev.tuntas.server.watch.WatchdogLoop;
import dev.tuntas.store.Stores;
import dev.tuntas.store.Tables;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// Ready means that the truth can be read, and that what is decided can be written.
@Configuration(proxyBeanMethods = false)
class HealthWiring {

  @Bean
  @Conditional(Here.Orders.class)
  Watchdog watchdog(Engine engine, Stores stores, Settings settings) {
    return new Watchdog(
        engine::vitals, stores::canWriteAnew, settings.watchdog().restartAfter(), System::nanoTime);
  }

  @Bean
  @Conditional(Here.Orders.class)
  WatchdogLoop watchdogLoop(Watchdog dog, ConfigurableApplicationContext application) {
    return new WatchdogLoop(dog, new FreshStart(application));
  }

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
