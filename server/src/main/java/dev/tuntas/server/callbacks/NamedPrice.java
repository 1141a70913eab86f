package dev.tuntas.server.callbacks;

import dev.tuntas.money.Money;
import dev.tuntas.server.http.Fields;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What a callback says that the order costs, as far as it says so.
record NamedPrice(@Nullable BigDecimal amount, @Nullable String currency) {

  static NamedPrice read(Fields fields) {
    return new NamedPrice(
        fields.raw("amount").filter(JsonNode::isNumber).map(JsonNode::decimalValue).orElse(null),
        fields.raw("currency").filter(JsonNode::isString).map(JsonNode::stringValue).orElse(null));
  }

  boolean isNone() {
    return amount == null && currency == null;
  }

  boolean contradicts(Money total) {
    return amount != null && amount.compareTo(BigDecimal.valueOf(total.amount())) != 0
        || currency != null && !currency.equals(total.currency());
  }
}
