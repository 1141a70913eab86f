package dev.tuntas.adapters.http;

import dev.tuntas.inventory.Goods;
import dev.tuntas.money.Money;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The shapes that the services' bodies share.
final class Bodies {

  private Bodies() {}

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  static void putGoods(ObjectNode body, Goods goods) {
    switch (goods) {
      case Goods.Lines(var lines) -> {
        var array = body.putArray("lines");
        for (var line : lines) {
          array.addObject().put("sku", line.sku()).put("quantity", line.quantity());
        }
      }
      case Goods.Stay(var room, var rooms, var checkIn, var checkOut) ->
          body.put("room_id", room)
              .put("rooms", rooms)
              .put("check_in", checkIn.toString())
              .put("check_out", checkOut.toString());
    }
  }

  static void putMoney(ObjectNode body, Money money) {
    body.put("amount", money.amount()).put("currency", money.currency());
  }

  /// `amount` and `currency` of a body, if they are an amount of money.
  static Optional<Money> money(JsonNode body) {
    var amount = body.path("amount");
    var currency = body.path("currency").asString("");
    boolean fits =
        amount.isIntegralNumber()
            && amount.canConvertToLong()
            && amount.asLong() >= 0
            && amount.asLong() <= Money.AMOUNT_MAX
            && Money.isCurrency(currency);
    return fits ? Optional.of(new Money(amount.asLong(), currency)) : Optional.empty();
  }

  /// A text that is there and not empty.
  static @Nullable String text(JsonNode body, String name) {
    var value = body.path(name);
    return value.isString() && !value.asString().isEmpty() ? value.asString() : null;
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
