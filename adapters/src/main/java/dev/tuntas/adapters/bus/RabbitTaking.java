package dev.tuntas.adapters.bus;

import com.rabbitmq.client.Delivery;
import dev.tuntas.bus.Attempts;
import dev.tuntas.bus.Attempts.Ending;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.Handler;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Refused;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deliveries for a handler, one after the other. A dead letter is confirmed where it belongs
/// before the delivery is.
final class RabbitTaking implements RabbitListening.Deliveries {

  private static final Logger log = LoggerFactory.getLogger(RabbitTaking.class);

  private final String queue;
  private final Handler handler;
  private final Attempts attempts;
  private final RabbitSender sender;
  private final InstantSource clock;

  RabbitTaking(
      String queue, Handler handler, Attempts attempts, RabbitSender sender, InstantSource clock) {
    this.queue = queue;
    this.handler = handler;
    this.attempts = attempts;
    this.sender = sender;
    this.clock = clock;
  }

  @Override
  public int atOnce() {
    return 1;
  }

  @Override
  public boolean take(List<Delivery> deliveries, Attempts.Rest rest) {
    var delivery = deliveries.getFirst();
    Message message;
    try {
      message = RabbitLetters.read(delivery);
    } catch (Refused poison) {
      return bury(delivery, poison.reason(), 0);
    }
    return switch (attempts.bring(message, handler, rest)) {
      case Ending.Taken() -> true;
      case Ending.Dead(var reason, var tries) -> bury(delivery, reason, tries);
      case Ending.Waits() -> false;
    };
  }

  /// Whether it is safe there.
  private boolean bury(Delivery delivery, String reason, int tries) {
    var dead = RabbitLetters.dead(delivery, queue, reason, tries, clock.instant());
    try {
      sender.send(List.of(dead));
      attempts.buried();
      return true;
    } catch (BusAwayException away) {
      log.warn("A dead letter of {} waits for the broker: {}", queue, away.getMessage());
      return false;
    }
  }
}
