package dev.tuntas.cart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.cart.Carts.Cleared;
import dev.tuntas.inventory.Goods.Line;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Tables;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CartShelfTest {

  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");
  private static final List<Line> LINES = List.of(new Line("SKU-2", 3), new Line("SKU-1", 1));

  private final Tables tables = Tables.inMemory(CartShelf.TABLES);
  private final CartShelf shelf = new CartShelf(tables, InstantSource.fixed(NOW));

  @AfterEach
  void close() {
    tables.close();
  }

  @Test
  void a_cart_is_what_was_put_last() {
    shelf.put("c-1", List.of(new Line("SKU-9", 9)));

    assertThat(shelf.put("c-1", LINES)).isEqualTo(new Cart("c-1", LINES, NOW));
    assertThat(shelf.get("c-1")).contains(new Cart("c-1", LINES, NOW));
    assertThat(shelf.get("c-2")).isEmpty();
  }

  @Test
  void clearing_empties_only_this_cart() {
    shelf.put("c-1", LINES);
    shelf.put("c-2", LINES);

    assertThat(shelf.clear("c-1", "clear-1")).isEqualTo(Outcome.done(new Cleared("c-1")));

    assertThat(shelf.get("c-1").orElseThrow().lines()).isEmpty();
    assertThat(shelf.get("c-2").orElseThrow().lines()).isEqualTo(LINES);
  }

  @Test
  void a_repeated_clearing_leaves_what_was_put_since() {
    shelf.put("c-1", LINES);
    shelf.clear("c-1", "clear-1");
    shelf.put("c-1", LINES);

    assertThat(shelf.clear("c-1", "clear-1")).isEqualTo(Outcome.done(new Cleared("c-1")));
    assertThat(shelf.get("c-1").orElseThrow().lines()).isEqualTo(LINES);

    shelf.clear("c-1", "clear-2");
    assertThat(shelf.get("c-1").orElseThrow().lines()).isEmpty();
  }

  @Test
  void a_cart_that_does_not_exist_is_empty() {
    assertThat(shelf.clear("c-1", "clear-1")).isEqualTo(Outcome.done(new Cleared("c-1")));
    assertThat(shelf.get("c-1")).isEmpty();
  }

  @Test
  void a_key_belongs_to_one_cart() {
    shelf.clear("c-1", "clear-1");

    assertThat(shelf.clear("c-2", "clear-1"))
        .isEqualTo(
            Outcome.declined(
                "idempotency_key_reused", "The key 'clear-1' was used for another cart."));
  }
}
