package dev.tuntas.server.services;

import dev.tuntas.cart.Cart;
import dev.tuntas.cart.CartShelf;
import dev.tuntas.cart.Carts;
import dev.tuntas.cart.Carts.Cleared;
import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.http.TraceId;
import dev.tuntas.server.settings.Here;
import jakarta.servlet.http.HttpServletRequest;
import java.util.regex.Pattern;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Conditional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/// The carts of this process, for others.
@RestController
@Conditional(Here.Cart.class)
class CartsController {

  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]{0,63}");

  private final CartShelf shelf;
  private final Carts carts;

  CartsController(CartShelf cartShelf, @Qualifier("ownCarts") Carts carts) {
    this.shelf = cartShelf;
    this.carts = carts;
  }

  @PutMapping("/api/v1/carts/{id}")
  Cart put(@PathVariable String id, JsonBody body) {
    if (!ID.matcher(id).matches()) throw Problem.notFound().asException();
    var fields = body.fields();
    var lines = GoodsReader.lines(fields, 0);
    fields.finish();
    return shelf.put(id, lines);
  }

  @GetMapping("/api/v1/carts/{id}")
  Cart get(@PathVariable String id) {
    return shelf.get(id).orElseThrow(() -> Problem.notFound().asException());
  }

  /// Without a key it is cleared every time.
  @PostMapping("/api/v1/cart/items/clear")
  Cleared clear(HttpServletRequest request) {
    var asked = Asked.of(request);
    var cartId = asked.fields().id("cart_id");
    var key = asked.key().orElseGet(() -> "clear-" + TraceId.of(request));
    asked.fields().finish();
    return Told.orProblem(carts.clear(cartId, key));
  }
}
