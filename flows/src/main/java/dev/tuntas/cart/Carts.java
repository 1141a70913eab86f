package dev.tuntas.cart;

import dev.tuntas.saga.Outcome;

/// Shopping carts, as checkout needs them.
public interface Carts {

  /// Empties a cart. One that does not exist is empty.
  Outcome<Cleared> clear(String cartId, String key);

  record Cleared(String cartId) {}
}
