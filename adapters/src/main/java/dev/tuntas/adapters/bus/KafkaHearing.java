package dev.tuntas.adapters.bus;

import dev.tuntas.bus.Attempts;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Refused;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Records that are hints: all that came together are told together.
final class KafkaHearing implements KafkaListening.Records {

  private static final Logger log = LoggerFactory.getLogger(KafkaHearing.class);

  private final Consumer<List<Message>> hearer;
  private final Attempts attempts;

  KafkaHearing(Consumer<List<Message>> hearer, Attempts attempts) {
    this.hearer = hearer;
    this.attempts = attempts;
  }

  @Override
  public int take(List<ConsumerRecord<byte[], byte[]>> records, Attempts.Rest rest) {
    var hints = new ArrayList<Message>();
    for (var wire : records) {
      try {
        hints.add(KafkaRecords.read(wire));
      } catch (Refused poison) {
        log.warn("A hint on {} says nothing: {}", wire.topic(), poison.reason());
      }
    }
    if (!hints.isEmpty()) attempts.tell(hints, hearer);
    return records.size();
  }
}
