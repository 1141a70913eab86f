package dev.tuntas.adapters.bus;

import com.rabbitmq.client.Delivery;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Refused;
import java.time.InstantSource;
import java.util.List;

/// Deliveries of AMQP.
record RabbitWire(RabbitSender sender, InstantSource clock) implements Wire<Delivery> {

  @Override
  public Message read(Delivery carried) throws Refused {
    return RabbitLetters.read(carried);
  }

  @Override
  public String kind(Delivery carried) {
    return carried.getEnvelope().getRoutingKey();
  }

  @Override
  public void bury(Delivery carried, String queue, String reason, int attempts)
      throws BusAwayException {
    sender.send(List.of(RabbitLetters.dead(carried, queue, reason, attempts, clock.instant())));
  }
}
