package dev.tuntas.adapters.bus;

import com.rabbitmq.client.Delivery;
import dev.tuntas.bus.Attempts;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Deliveries that are hints: all that came together are told together.
final class RabbitHearing implements RabbitListening.Deliveries {

  private static final Logger log = LoggerFactory.getLogger(RabbitHearing.class);

  private final Consumer<List<Message>> hearer;
  private final Attempts attempts;
  private final int atOnce;

  RabbitHearing(Consumer<List<Message>> hearer, Attempts attempts, int prefetch) {
    this.hearer = hearer;
    this.attempts = attempts;
    this.atOnce = Math.max(2, prefetch);
  }

  @Override
  public int atOnce() {
    return atOnce;
  }

  @Override
  public boolean take(List<Delivery> deliveries, Attempts.Rest rest) {
    var hints = new ArrayList<Message>();
    for (var delivery : deliveries) {
      try {
        hints.add(RabbitLetters.read(delivery));
      } catch (Refused poison) {
        log.warn(
            "A hint on {} says nothing: {}",
            delivery.getEnvelope().getRoutingKey(),
            poison.reason());
      }
    }
    if (!hints.isEmpty()) attempts.tell(hints, hearer);
    return true;
  }
}
