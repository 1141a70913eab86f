package dev.tuntas.adapters.bus;

import dev.tuntas.bus.BusAwayException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/// Writes records, and waits until the broker has confirmed them.
final class KafkaSender implements AutoCloseable {

  private final KafkaAccess settings;
  private final KafkaTopics topics;
  private @Nullable Producer<byte[], byte[]> producer;

  KafkaSender(KafkaAccess settings, KafkaTopics topics) {
    this.settings = settings;
    this.topics = topics;
  }

  /// Returns why some of them, by their places, were refused for good.
  Map<Integer, String> send(List<ProducerRecord<byte[], byte[]>> records) throws BusAwayException {
    var names = new TreeSet<String>();
    for (var wire : records) names.add(wire.topic());
    var missing = topics.require(names);
    if (!missing.isEmpty()) {
      throw BusAwayException.unreached("send to Kafka: it has no " + missing, null);
    }
    var used = producer();
    try {
      return confirmed(handOver(used, records));
    } catch (BusAwayException | KafkaException | IllegalStateException away) {
      abandon(used);
      topics.forget();
      throw away instanceof BusAwayException known
          ? known
          : new BusAwayException("send to Kafka: " + away, away);
    }
  }

  private static List<Future<RecordMetadata>> handOver(
      Producer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> records) {
    var sent = new ArrayList<Future<RecordMetadata>>(records.size());
    for (var wire : records) sent.add(producer.send(wire));
    return sent;
  }

  private Map<Integer, String> confirmed(List<Future<RecordMetadata>> sent)
      throws BusAwayException {
    var refused = new LinkedHashMap<Integer, String>();
    for (int i = 0; i < sent.size(); i++) {
      try {
        sent.get(i).get(2 * settings.patience().toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof RecordTooLargeException tooLarge)) {
          throw new BusAwayException("send to Kafka: " + e.getCause(), e);
        }
        refused.put(i, String.valueOf(tooLarge.getMessage()));
      } catch (TimeoutException e) {
        throw new BusAwayException("send to Kafka: no answer", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BusAwayException("send to Kafka: interrupted", e);
      }
    }
    return refused;
  }

  private synchronized Producer<byte[], byte[]> producer() throws BusAwayException {
    if (producer != null) return producer;
    var bytes = new ByteArraySerializer();
    try {
      var made = new KafkaProducer<>(settings.producer(), bytes, bytes);
      producer = made;
      return made;
    } catch (KafkaException e) {
      throw BusAwayException.unreached("reach Kafka: " + e.getCause(), e);
    }
  }

  /// What it has not sent must not go out later, behind what is sent again.
  private synchronized void abandon(Producer<byte[], byte[]> used) {
    if (used.equals(producer)) producer = null;
    used.close(Duration.ZERO);
  }

  @Override
  public synchronized void close() {
    if (producer != null) producer.close(Duration.ofSeconds(1));
    producer = null;
  }
}
