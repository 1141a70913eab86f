package dev.tuntas.orders;

import dev.tuntas.engine.Outbox;
import dev.tuntas.saga.Failure;
import java.time.Instant;
import java.util.Optional;

/// An order that cannot say itself what is wrong with it: it cannot be read, its new state cannot
/// be stored, or nobody can take its news.
///
/// @param alert the kind of ticket that is wanted
/// @param reason a sentence without anything of the order's data
public record Stuck(
    String sagaId, long version, String eventId, String alert, String reason, Instant at) {

  private static final String HELD = "saga.held";
  private static final String UPDATE_FAILED = "STATUS_UPDATE_FAILED";
  private static final String NOT_READ = "FAILED_TO_GET_ORDER";
  private static final String UNEXPECTED = "UNEXPECTED_STATE";

  /// What the engine says before it puts a saga before a person.
  public static Optional<Stuck> of(String sagaId, long version, Failure why, Instant at) {
    return OrderIds.isOne(OrderSagas.orderOf(sagaId))
        ? Optional.of(held(sagaId, version, sagaId + "/" + version + "/0", why.code(), at))
        : Optional.empty();
  }

  /// An order that somebody asked for in vain: one cause, however often it is asked for.
  public static Stuck of(UnreadableOrderException failure, Instant at) {
    var id = failure.sagaId();
    return held(id, 0, id + "/unreadable", "UNREADABLE", at);
  }

  /// News that nobody can take.
  public static Optional<Stuck> of(Outbox.Entry dead) {
    if (!OrderIds.isOne(OrderSagas.orderOf(dead.sagaId()))) return Optional.empty();
    var reason = "What happened could not be entered in the list of orders: notice " + dead.type();
    return Optional.of(
        new Stuck(dead.sagaId(), dead.version(), dead.eventId(), UPDATE_FAILED, reason, dead.at()));
  }

  /// Whether a notice is in the engine's own words, because those of the order could not be.
  static boolean isSaidBy(Outbox.Entry notice) {
    return notice.type().equals(HELD);
  }

  static Stuck read(Outbox.Entry notice) {
    var code = OrderNotices.code(notice.body());
    return held(notice.sagaId(), notice.version(), notice.eventId(), code, notice.at());
  }

  private static Stuck held(String sagaId, long version, String eventId, String code, Instant at) {
    return switch (code) {
      case "UNREADABLE" ->
          new Stuck(sagaId, version, eventId, NOT_READ, "The order's data cannot be read", at);
      case "UNSTORABLE" ->
          new Stuck(
              sagaId,
              version,
              eventId,
              UPDATE_FAILED,
              "The order's new state cannot be stored",
              at);
      default -> new Stuck(sagaId, version, eventId, UNEXPECTED, "The order cannot go on", at);
    };
  }

  public String orderId() {
    return OrderSagas.orderOf(sagaId);
  }
}
