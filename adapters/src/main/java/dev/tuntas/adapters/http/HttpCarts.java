package dev.tuntas.adapters.http;

import dev.tuntas.cart.Carts;
import dev.tuntas.saga.Outcome;
import java.util.Optional;

/// Carts that are a service of their own.
public final class HttpCarts implements Carts {

  private final ServiceClient service;

  public HttpCarts(ServiceClient service) {
    this.service = service;
  }

  @Override
  public Outcome<Cleared> clear(String cartId, String key) {
    return service.post(
        "/api/v1/cart/items/clear",
        key,
        Bodies.object().put("cart_id", cartId),
        answer ->
            cartId.equals(Bodies.text(answer, "cart_id"))
                ? Optional.of(new Cleared(cartId))
                : Optional.empty());
  }
}
