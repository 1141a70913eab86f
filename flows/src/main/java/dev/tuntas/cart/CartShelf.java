package dev.tuntas.cart;

import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.StoreException.Kind;
import dev.tuntas.inventory.Goods;
import dev.tuntas.saga.Outcome;
import dev.tuntas.store.Session;
import dev.tuntas.store.TableSet;
import dev.tuntas.store.Tables;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Our cart service. A cart is emptied once per key, so that a late repetition does not take what
/// its owner has put into it since.
public final class CartShelf implements Carts {

  public static final TableSet TABLES = TableSet.of("cart");

  private static final String TOUCH =
      """
      insert into cart (cart_id, changed_at) values (?, ?)
      on conflict (cart_id) do update set changed_at = excluded.changed_at
      """;
  private static final String PUT =
      "insert into cart_line (cart_id, position, sku, quantity) values (?, ?, ?, ?)";
  private static final String CLEARED =
      "insert into clearing (key, cart_id, cleared_at) values (?, ?, ?) on conflict do nothing";

  private final Tables tables;
  private final InstantSource clock;

  public CartShelf(Tables tables, InstantSource clock) {
    this.tables = tables;
    this.clock = clock;
  }

  /// Makes these lines the content of the cart.
  public Cart put(String cartId, List<Goods.Line> lines) {
    var cart = new Cart(cartId, lines, Instant.ofEpochMilli(clock.millis()));
    return tables.write(
        "put a cart",
        session -> {
          empty(session, cartId, cart.changedAt());
          for (int i = 0; i < lines.size(); i++) {
            session.update(PUT, cartId, i, lines.get(i).sku(), lines.get(i).quantity());
          }
          return cart;
        });
  }

  /// Touches the cart first: that is the lock under which its lines change.
  private static void empty(Session session, String cartId, Instant now) throws SQLException {
    session.update(TOUCH, cartId, now);
    session.update("delete from cart_line where cart_id = ?", cartId);
  }

  public Optional<Cart> get(String cartId) {
    return tables.read("get a cart", session -> find(session, cartId));
  }

  private static Optional<Cart> find(Session session, String cartId) throws SQLException {
    var lines =
        session.list(
            "select sku, quantity from cart_line where cart_id = ? order by position",
            row -> new Goods.Line(row.getString(1), row.getInt(2)),
            cartId);
    return session.first(
        "select changed_at from cart where cart_id = ?",
        row -> new Cart(cartId, lines, Instant.ofEpochMilli(row.getLong(1))),
        cartId);
  }

  @Override
  public Outcome<Cleared> clear(String cartId, String key) {
    try {
      return tables.write("clear a cart", session -> cleared(session, cartId, key));
    } catch (StoreException e) {
      if (e.kind() == Kind.BAD_DATA) throw e;
      if (e.kind() == Kind.UNKNOWN) return Outcome.unclearHere(String.valueOf(e.getMessage()));
      return Outcome.unavailableHere("cart_unavailable", "The carts cannot be reached.");
    }
  }

  private Outcome<Cleared> cleared(Session session, String cartId, String key) throws SQLException {
    var now = clock.instant();
    if (session.update(CLEARED, key, cartId, now) == 0) return repeated(session, cartId, key);
    if (session.update("update cart set changed_at = ? where cart_id = ?", now, cartId) > 0) {
      session.update("delete from cart_line where cart_id = ?", cartId);
    }
    return Outcome.done(new Cleared(cartId));
  }

  private static Outcome<Cleared> repeated(Session session, String cartId, String key)
      throws SQLException {
    var first =
        session.first("select cart_id from clearing where key = ?", row -> row.getString(1), key);
    if (first.orElseThrow().equals(cartId)) return Outcome.done(new Cleared(cartId));
    return Outcome.declined(
        "idempotency_key_reused", "The key '" + key + "' was used for another cart.");
  }
}
