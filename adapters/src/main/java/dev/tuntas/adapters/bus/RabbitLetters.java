package dev.tuntas.adapters.bus;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import dev.tuntas.adapters.bus.RabbitSender.Letter;
import dev.tuntas.bus.DeadLetter;
import dev.tuntas.bus.DeadMessage;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Refused;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/// Messages as AMQP carries them.
final class RabbitLetters {

  private static final String KEY = "key";
  private static final String COMMAND = "command";
  private static final int PERSISTENT = 2;

  private RabbitLetters() {}

  static Letter of(Message message, String exchange) {
    var headers = new HashMap<String, Object>(message.headers());
    headers.put(KEY, message.key());
    if (message.isCommand()) headers.put(COMMAND, "true");
    var properties =
        new BasicProperties.Builder()
            .messageId(message.id())
            .type(message.kind())
            .contentType("application/cloudevents+json")
            .deliveryMode(PERSISTENT)
            .headers(headers)
            .build();
    return new Letter(exchange, message.kind(), properties, Utf8.bytes(message.body()));
  }

  /// The message in a delivery, whoever sent it.
  static Message read(Delivery delivery) throws Refused {
    var properties = delivery.getProperties();
    var headers = texts(properties.getHeaders());
    var key = headers.remove(KEY);
    boolean isCommand = "true".equals(headers.remove(COMMAND));
    var id = properties.getMessageId();
    if (id == null) throw new Refused("It has no message id.");
    try {
      return new Message(
          id,
          delivery.getEnvelope().getRoutingKey(),
          key == null ? "" : key,
          Utf8.text(delivery.getBody()),
          headers,
          isCommand);
    } catch (CharacterCodingException _) {
      throw new Refused("It is not UTF-8.");
    } catch (IllegalArgumentException e) {
      throw new Refused("It is no message of ours: " + e.getMessage());
    }
  }

  /// A dead letter, whoever gave it up.
  @SuppressWarnings("NullAway") // the client gives null for what a message does not have
  static DeadMessage readDead(Delivery delivery, String queue) {
    var properties = delivery.getProperties();
    var headers = texts(properties.getHeaders());
    var id = properties.getMessageId();
    var kind = headers.getOrDefault(DeadLetter.TOPIC, properties.getType());
    return DeadMessage.of(
        queue,
        id == null ? UUID.nameUUIDFromBytes(delivery.getBody()).toString() : id,
        kind == null ? "unknown" : kind,
        headers.getOrDefault(KEY, ""),
        Utf8.guessed(delivery.getBody()),
        headers,
        "true".equals(headers.get(COMMAND)));
  }

  @SuppressWarnings("NullAway") // the client gives null for a message without headers
  static Map<String, String> texts(Map<String, Object> headers) {
    var texts = new HashMap<String, String>();
    if (headers == null) return texts;
    headers.forEach((name, value) -> texts.put(name, String.valueOf(value)));
    return texts;
  }

  /// The same bytes for the queue of dead letters, with why they are there.
  static Letter dead(Delivery delivery, String queue, String reason, int attempts, Instant at) {
    var properties = delivery.getProperties();
    var headers = new HashMap<String, Object>();
    headers.putAll(texts(properties.getHeaders()));
    headers.put(DeadLetter.REASON, reason);
    headers.put(DeadLetter.QUEUE, queue);
    headers.put(DeadLetter.ATTEMPTS, Integer.toString(attempts));
    headers.put(DeadLetter.AT, at.toString());
    var id = properties.getMessageId();
    headers.put(DeadLetter.TOPIC, delivery.getEnvelope().getRoutingKey());
    return new Letter(
        "",
        queue + DeadLetter.SUFFIX,
        properties
            .builder()
            .messageId(id == null ? queue + "/" + delivery.getEnvelope().getDeliveryTag() : id)
            .headers(headers)
            .deliveryMode(PERSISTENT)
            .build(),
        delivery.getBody());
  }
}
