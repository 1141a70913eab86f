package dev.tuntas.server.support;

import dev.tuntas.notify.DeadDeliveries.Fate;
import dev.tuntas.server.access.Caller;
import java.time.Instant;
import java.util.List;

/// Where things end up that were given up on. A person may have one tried again, with the same id
/// and by the same way, or drop it for good; each is written down with the deed.
interface DeadLetterQueue {

  /// @param what the type of a notice, the channel of a delivery, the reason of a ticket
  record DeadLetter(
      String id,
      String queue,
      String orderId,
      String what,
      String error,
      int attempts,
      Instant at) {}

  /// Who wants it, and why.
  record Wish(Caller caller, String reason) {}

  /// The beginning of all its ids.
  String name();

  /// Newest first.
  List<DeadLetter> list(int limit);

  default int count() {
    return list(DeadLetters.MANY_MAX).size();
  }

  /// False if it is certain that there is no such letter; the others find out in what they do.
  default boolean has(String key) {
    return true;
  }

  Fate replay(String key, Wish wish);

  Fate discard(String key, Wish wish);
}
