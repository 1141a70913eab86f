package dev.tuntas.server.support;

import dev.tuntas.server.http.Fields;
import dev.tuntas.server.http.Problem;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// How much a person wants to give back; nothing means all that is left. Written as `amount` and
/// `currency`, or as an `amount` that holds both.
record RefundAmount(@Nullable Long minorUnits, @Nullable String currency) {

  private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

  static RefundAmount read(Fields fields) {
    var money = fields.raw("amount").filter(JsonNode::isObject).isPresent();
    var from = money ? fields.object("amount") : fields;
    var amount = from.raw("amount").map(RefundAmount::minorUnits).orElse(null);
    var currency = from.optionalText("currency", 10).orElse(null);
    fields.finish();
    if (currency != null && amount == null) throw invalid("An amount is missing.");
    return new RefundAmount(amount, currency);
  }

  /// Whether it is too much or too little is for the desk to say.
  private static Long minorUnits(JsonNode value) {
    if (!value.isNumber()) throw invalid("The amount must be a whole number of minor units.");
    var number = value.decimalValue();
    if (number.signum() != 0 && number.stripTrailingZeros().scale() > 0) {
      throw invalid("The amount must be a whole number of minor units.");
    }
    return number.min(MOST).max(MOST.negate()).longValueExact();
  }

  private static RuntimeException invalid(String message) {
    return Problem.at(422, "/amount", "refund_amount_invalid", message).asException();
  }
}
