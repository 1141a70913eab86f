package dev.tuntas.simulator;

import dev.tuntas.cart.Carts;
import dev.tuntas.saga.Outcome;

/// A cart service behind bad weather.
public final class SimulatedCarts implements Carts {

  private final Carts carts;
  private final Weather weather;

  public SimulatedCarts(Carts carts, Weather weather) {
    this.carts = carts;
    this.weather = weather;
  }

  @Override
  public Outcome<Cleared> clear(String cartId, String key) {
    return weather.call(() -> carts.clear(cartId, key));
  }
}
