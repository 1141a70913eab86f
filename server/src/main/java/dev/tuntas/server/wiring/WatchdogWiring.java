package dev.tuntas.server.wiring;

import dev.tuntas.engine.Engine;
import dev.tuntas.server.settings.Here;
import dev.tuntas.server.settings.Settings;
import dev.tuntas.server.watch.FreshStart;
import dev.tuntas.server.watch.Watchdog;
import dev.tuntas.server.watch.WatchdogLoop;
import dev.tuntas.store.Stores;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// Where there is an engine, something watches whether it goes on.
@Configuration(proxyBeanMethods = false)
@Conditional(Here.Orders.class)
class WatchdogWiring {

  @Bean
  Watchdog watchdog(Engine engine, Stores stores, Settings settings) {
    return new Watchdog(
        engine::vitals, stores::canWriteAnew, settings.watchdog().restartAfter(), System::nanoTime);
  }

  @Bean
  WatchdogLoop watchdogLoop(Watchdog dog, ConfigurableApplicationContext application) {
    return new WatchdogLoop(dog, new FreshStart(application));
  }
}
