package dev.tuntas.server.services;

import dev.tuntas.money.Money;
import dev.tuntas.simulator.Effect;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/// Writes a partner's ledger as JSON, entry by entry.
final class LedgerWriter implements AutoCloseable {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final JsonGenerator out;

  LedgerWriter(OutputStream stream) {
    out = JSON.createGenerator(stream);
    out.writeStartObject();
    out.writeArrayPropertyStart("entries");
  }

  void write(Effect effect) {
    out.writeStartObject();
    out.writeStringProperty("at", effect.at().toString());
    out.writeStringProperty("operation", effect.operation());
    out.writeStringProperty("key", effect.key());
    out.writeStringProperty("order_id", effect.orderId());
    writeMoney(effect.amount());
    out.writeStringProperty("result", effect.result());
    if (!effect.units().isEmpty()) writeUnits(effect);
    out.writeEndObject();
  }

  private void writeMoney(@Nullable Money amount) {
    if (amount == null) {
      out.writeNullProperty("amount");
      out.writeNullProperty("currency");
    } else {
      out.writeNumberProperty("amount", amount.amount());
      out.writeStringProperty("currency", amount.currency());
    }
  }

  private void writeUnits(Effect effect) {
    out.writeArrayPropertyStart("units");
    for (var unit : effect.units()) {
      out.writeStartObject();
      out.writeStringProperty("thing", unit.thing());
      out.writeNumberProperty("quantity", unit.quantity());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  @Override
  public void close() {
    out.writeEndArray();
    out.writeEndObject();
    out.close();
  }
}
