package dev.tuntas.cart;

import dev.tuntas.inventory.Goods;
import java.time.Instant;
import java.util.List;

/// What somebody means to buy.
public record Cart(String cartId, List<Goods.Line> lines, Instant changedAt) {
  public Cart {
    lines = List.copyOf(lines);
  }
}
