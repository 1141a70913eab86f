package dev.tuntas.rides;

import dev.tuntas.saga.Signal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the partner tells about a ride, as its callback says it.
///
/// @param deliveryId the partner's name for this piece of news: the same for every delivery
/// @param orderId the order it is about
public record DispatchEvent(
    String deliveryId,
    Type type,
    String orderId,
    @Nullable String bookingId,
    @Nullable String jobId,
    @Nullable String driverId,
    @Nullable String reason,
    int attempt,
    @Nullable Instant occurredAt) {

  public enum Type {
    JOB_ASSIGNED("job.assigned", JOB),
    NO_DRIVER("dispatch.no_driver", DRIVER),
    DRIVER_ASSIGNED("driver.assigned", DRIVER),
    DRIVER_CANCELLED("driver.cancelled", PICK_UP),
    PICKED_UP("driver.picked_up", PICK_UP),
    COMPLETED("trip.completed", TRIP);

    private final String text;
    private final String signal;

    Type(String text, String signal) {
      this.text = text;
      this.signal = signal;
    }

    /// As the partner writes it.
    public String text() {
      return text;
    }
  }

  /// The source of all signals made of callbacks.
  public static final String SOURCE = "bbd";

  // The steps that wait for news, in their order: signals are called like them.
  public static final String JOB = "job";
  public static final String DRIVER = "driver";
  public static final String PICK_UP = "pick-up";
  public static final String TRIP = "trip";

  /// The signals for the saga. News of a later step also tells that the earlier ones were taken,
  /// whose own news may have been lost.
  public List<Signal> signals() {
    var signals = new ArrayList<Signal>();
    if (jobId != null && type != Type.JOB_ASSIGNED) signals.add(signal(JOB, "job"));
    if (type == Type.PICKED_UP || type == Type.DRIVER_CANCELLED || type == Type.COMPLETED) {
      signals.add(signal(DRIVER, "driver"));
    }
    if (type == Type.COMPLETED) signals.add(signal(PICK_UP, "pick-up"));
    signals.add(signal(type.signal, ""));
    return signals;
  }

  /// The event that a signal carries.
  public static DispatchEvent read(Signal signal) {
    return DispatchEventCodec.read(signal);
  }

  private Signal signal(String name, String part) {
    var externalId = part.isEmpty() ? deliveryId : deliveryId + "/" + part;
    return new Signal(SOURCE, externalId, name, DispatchEventCodec.write(this));
  }
}
