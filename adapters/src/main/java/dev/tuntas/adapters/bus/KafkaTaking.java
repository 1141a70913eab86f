package dev.tuntas.adapters.bus;

import dev.tuntas.bus.Attempts;
import dev.tuntas.bus.Attempts.Ending;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.Handler;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Refused;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records for a handler, one after the other. A dead letter is confirmed where it belongs before
/// the next one is looked at.
final class KafkaTaking implements KafkaListening.Records {

  private static final Logger log = LoggerFactory.getLogger(KafkaTaking.class);

  private final String queue;
  private final Handler handler;
  private final Attempts attempts;
  private final KafkaSender sender;
  private final InstantSource clock;

  KafkaTaking(
      String queue, Handler handler, Attempts attempts, KafkaSender sender, InstantSource clock) {
    this.queue = queue;
    this.handler = handler;
    this.attempts = attempts;
    this.sender = sender;
    this.clock = clock;
  }

  @Override
  public int take(List<ConsumerRecord<byte[], byte[]>> records, Attempts.Rest rest) {
    int done = 0;
    while (done < records.size() && isDone(records.get(done), rest)) done++;
    return done;
  }

  private boolean isDone(ConsumerRecord<byte[], byte[]> wire, Attempts.Rest rest) {
    Message message;
    try {
      message = KafkaRecords.read(wire);
    } catch (Refused poison) {
      return bury(wire, poison.reason(), 0);
    }
    return switch (attempts.bring(message, handler, rest)) {
      case Ending.Taken() -> true;
      case Ending.Dead(var reason, var tries) -> bury(wire, reason, tries);
      case Ending.Waits() -> false;
    };
  }

  /// Whether it is safe there. One that has become too large leaves its body where it was.
  private boolean bury(ConsumerRecord<byte[], byte[]> wire, String reason, int tries) {
    var dead = KafkaRecords.dead(wire, queue, reason, tries, clock.instant());
    try {
      if (!sender.send(List.of(dead)).isEmpty()) sender.send(List.of(KafkaRecords.empty(dead)));
      attempts.buried();
      return true;
    } catch (BusAwayException away) {
      log.warn("A dead letter of {} waits for Kafka: {}", queue, away.getMessage());
      return false;
    }
  }
}
