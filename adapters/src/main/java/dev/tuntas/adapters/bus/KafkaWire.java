package dev.tuntas.adapters.bus;

import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Refused;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// Records of Kafka.
record KafkaWire(KafkaSender sender, InstantSource clock)
    implements Wire<ConsumerRecord<byte[], byte[]>> {

  @Override
  public Message read(ConsumerRecord<byte[], byte[]> carried) throws Refused {
    return KafkaRecords.read(carried);
  }

  @Override
  public String kind(ConsumerRecord<byte[], byte[]> carried) {
    return carried.topic();
  }

  /// One that has become too large leaves its body where it was.
  @Override
  public void bury(
      ConsumerRecord<byte[], byte[]> carried, String queue, String reason, int attempts)
      throws BusAwayException {
    var dead = KafkaRecords.dead(carried, queue, reason, attempts, clock.instant());
    if (!sender.send(List.of(dead)).isEmpty()) sender.send(List.of(KafkaRecords.empty(dead)));
  }
}
