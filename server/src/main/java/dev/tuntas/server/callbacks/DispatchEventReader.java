package dev.tuntas.server.callbacks;

import dev.tuntas.rides.DispatchEvent;
import dev.tuntas.server.http.Fields;
import java.util.Optional;
import java.util.stream.Stream;

/// Reads what the dispatch partner tells. Fields that we do not know are let be.
final class DispatchEventReader {

  private static final int TEXT_MAX = 300;
  private static final int ATTEMPTS_MAX = 1_000_000;

  private DispatchEventReader() {}

  /// The event; empty if it is of a kind that we do not know.
  static Optional<DispatchEvent> read(String deliveryId, Fields fields) {
    var name = fields.text("event", TEXT_MAX);
    var type = type(name);
    if (type.isEmpty() && !name.isEmpty()) return Optional.empty();
    var orderId = fields.id("order_id");
    var bookingId = fields.optionalText("booking_id", TEXT_MAX);
    var jobId = text(fields, "job_id");
    var driverId = text(fields, "driver_id");
    var reason = text(fields, "reason");
    var attempt = fields.optionalWholeNumber("attempt", 0, ATTEMPTS_MAX);
    var occurredAt = fields.optionalTime("occurred_at");
    if (type.filter(it -> it == DispatchEvent.Type.JOB_ASSIGNED).isPresent() && jobId.isEmpty()) {
      fields.refuse("job_id", "field_required", "A job that was assigned has an id.");
    }
    fields.finishLeniently();
    return type.map(
        it ->
            new DispatchEvent(
                deliveryId,
                it,
                orderId,
                bookingId.orElse(null),
                jobId.orElse(null),
                driverId.orElse(null),
                reason.orElse(null),
                attempt.orElse(0L).intValue(),
                occurredAt.orElse(null)));
  }

  /// An empty text is how the partner says that there is none.
  private static Optional<String> text(Fields fields, String name) {
    boolean empty =
        fields.raw(name).filter(it -> it.isString() && it.stringValue().isEmpty()).isPresent();
    return empty ? Optional.empty() : fields.optionalText(name, TEXT_MAX);
  }

  private static Optional<DispatchEvent.Type> type(String name) {
    return Stream.of(DispatchEvent.Type.values())
        .filter(type -> type.text().equals(name))
        .findFirst();
  }
}
