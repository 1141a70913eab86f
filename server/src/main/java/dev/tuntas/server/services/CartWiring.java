package dev.tuntas.server.services;

import dev.tuntas.cart.CartShelf;
import dev.tuntas.cart.Carts;
import dev.tuntas.server.settings.Here;
import dev.tuntas.simulator.SimulatedCarts;
import dev.tuntas.simulator.Weather;
import dev.tuntas.store.Tables;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/// The carts, when they are in this process.
@Configuration(proxyBeanMethods = false)
@Conditional(Here.Cart.class)
class CartWiring {

  @Bean
  Tables cartTables(ServiceTables tables) {
    return tables.open(CartShelf.TABLES);
  }

  @Bean
  CartShelf cartShelf(Tables cartTables, InstantSource clock) {
    return new CartShelf(cartTables, clock);
  }

  /// The shelf, behind the weather where that is simulated.
  @Bean
  Carts ownCarts(CartShelf cartShelf, @Qualifier("cartWeather") ObjectProvider<Weather> weather) {
    var simulated = weather.getIfAvailable();
    return simulated == null ? cartShelf : new SimulatedCarts(cartShelf, simulated);
  }
}
