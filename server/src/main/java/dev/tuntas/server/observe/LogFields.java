package dev.tuntas.server.observe;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.tuntas.orders.OrderIds;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;
import org.springframework.boot.json.JsonWriter.Members;
import org.springframework.boot.logging.structured.StructuredLoggingJsonMembersCustomizer;

/// Gives every line that is about an order the field `order_id`: from the saga that it names, or
/// from the thread of the call, which is named after its saga. Traces are named as the API does.
public final class LogFields implements StructuredLoggingJsonMembersCustomizer<ILoggingEvent> {

  private static final String ORDER_ID = "order_id";
  private static final String SAGA_ID = "saga_id";
  private static final String PREFIX = "ord_";
  private static final int LENGTH = 30;

  @Override
  public void customize(Members<ILoggingEvent> members) {
    members.add(ORDER_ID, LogFields::orderOf).whenNotNull();
    members.applyingNameProcessor(
        (_, name) ->
            switch (name) {
              case "traceId" -> "trace_id";
              case "spanId" -> "span_id";
              default -> name;
            });
  }

  /// Nothing for a line that says it itself.
  private static @Nullable String orderOf(ILoggingEvent line) {
    var thread = line.getThreadName();
    var named = thread == null ? null : orderIn(thread);
    var pairs = line.getKeyValuePairs();
    for (var pair : pairs == null ? List.<KeyValuePair>of() : pairs) {
      if (pair.key.equals(ORDER_ID)) return null;
      if (pair.key.equals(SAGA_ID)) named = orderIn(String.valueOf(pair.value));
    }
    return named;
  }

  /// The sagas of an order hold its id: `cancel-ord_...`, `refund-ord_...-2`.
  public static @Nullable String orderIn(String text) {
    int at = text.indexOf(PREFIX);
    if (at < 0 || text.length() < at + LENGTH) return null;
    var id = text.substring(at, at + LENGTH);
    return OrderIds.isOne(id) ? id : null;
  }
}
