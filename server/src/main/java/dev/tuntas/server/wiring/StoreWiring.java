package dev.tuntas.server.wiring;

import dev.tuntas.server.settings.Settings;
import dev.tuntas.store.Stores;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The database of the orders: a folder of this machine, or PostgreSQL. Whatever is made of it is
/// closed before it, because Spring ends beans in the reverse order of their making.
@Configuration(proxyBeanMethods = false)
class StoreWiring {

  /// What waits here must not depend on whether somebody sets this machine's clock. What is
  /// compared with the clocks of others, such as the time of a signature, asks the system itself.
  @Bean
  PlatformClock clock() {
    return new PlatformClock();
  }

  @Bean
  Stores stores(Settings settings) {
    return settings.embedded()
        ? Stores.sqlite(settings.data().resolve("orders"), InstantSource.system())
        : Stores.postgres(settings.database().postgres());
  }
}
