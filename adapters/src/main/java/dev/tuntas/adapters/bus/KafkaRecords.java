package dev.tuntas.adapters.bus;

import dev.tuntas.bus.DeadLetter;
import dev.tuntas.bus.DeadMessage;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Refused;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/// Messages as Kafka keeps them.
final class KafkaRecords {

  private static final String ID = "id";
  private static final String COMMAND = "command";
  private static final String CONTENT_TYPE = "content-type";

  private KafkaRecords() {}

  static ProducerRecord<byte[], byte[]> of(Message message) {
    var wire =
        new ProducerRecord<>(message.kind(), Utf8.bytes(message.key()), Utf8.bytes(message.body()));
    var headers = wire.headers();
    headers.add(ID, Utf8.bytes(message.id()));
    headers.add(CONTENT_TYPE, Utf8.bytes("application/cloudevents+json"));
    if (message.isCommand()) headers.add(COMMAND, Utf8.bytes("true"));
    message.headers().forEach((name, value) -> headers.add(name, Utf8.bytes(value)));
    return wire;
  }

  /// The message in a record, whoever wrote it.
  static Message read(ConsumerRecord<byte[], byte[]> wire) throws Refused {
    if (wire.value() == null) throw new Refused("It has no body.");
    try {
      var headers = new HashMap<String, String>();
      for (var header : wire.headers()) {
        if (header.value() != null) headers.put(header.key(), Utf8.text(header.value()));
      }
      var id = headers.remove(ID);
      boolean isCommand = "true".equals(headers.remove(COMMAND));
      headers.remove(CONTENT_TYPE);
      return new Message(
          id == null ? wire.topic() + "/" + wire.partition() + "/" + wire.offset() : id,
          wire.topic(),
          wire.key() == null ? "" : Utf8.text(wire.key()),
          Utf8.text(wire.value()),
          headers,
          isCommand);
    } catch (CharacterCodingException _) {
      throw new Refused("It is not UTF-8.");
    } catch (IllegalArgumentException e) {
      throw new Refused("It is no message of ours: " + e.getMessage());
    }
  }

  /// The same bytes for the topic of dead letters, with where they were and why they are there.
  static ProducerRecord<byte[], byte[]> dead(
      ConsumerRecord<byte[], byte[]> wire, String queue, String reason, int attempts, Instant at) {
    var dead = new ProducerRecord<>(wire.topic() + DeadLetter.SUFFIX, wire.key(), wire.value());
    for (var header : wire.headers()) dead.headers().add(header);
    add(dead.headers(), DeadLetter.REASON, reason);
    add(dead.headers(), DeadLetter.QUEUE, queue);
    add(dead.headers(), DeadLetter.ATTEMPTS, Integer.toString(attempts));
    add(dead.headers(), DeadLetter.TOPIC, wire.topic());
    add(dead.headers(), DeadLetter.PARTITION, Integer.toString(wire.partition()));
    add(dead.headers(), DeadLetter.OFFSET, Long.toString(wire.offset()));
    add(dead.headers(), DeadLetter.AT, at.toString());
    return dead;
  }

  /// A dead letter, if it is one of this queue.
  static Optional<DeadMessage> readDead(ConsumerRecord<byte[], byte[]> wire, String queue) {
    var headers = new HashMap<String, String>();
    for (var header : wire.headers()) {
      if (header.value() != null) headers.put(header.key(), Utf8.guessed(header.value()));
    }
    if (!queue.equals(headers.get(DeadLetter.QUEUE))) return Optional.empty();
    var topic = headers.getOrDefault(DeadLetter.TOPIC, wire.topic());
    var place =
        String.join(
            "/",
            topic,
            headers.getOrDefault(DeadLetter.PARTITION, "-"),
            headers.getOrDefault(DeadLetter.OFFSET, "-"));
    return Optional.of(
        DeadMessage.of(
            queue,
            headers.getOrDefault(ID, place),
            topic,
            wire.key() == null ? "" : Utf8.guessed(wire.key()),
            wire.value() == null ? "" : Utf8.guessed(wire.value()),
            headers,
            "true".equals(headers.get(COMMAND))));
  }

  static ProducerRecord<byte[], byte[]> empty(ProducerRecord<byte[], byte[]> full) {
    return new ProducerRecord<>(full.topic(), null, full.key(), new byte[0], full.headers());
  }

  private static void add(Headers headers, String name, String value) {
    headers.remove(name);
    headers.add(name, Utf8.bytes(value));
  }
}
