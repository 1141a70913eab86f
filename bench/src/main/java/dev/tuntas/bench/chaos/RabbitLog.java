package dev.tuntas.bench.chaos;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.ConnectionFactory;
import dev.tuntas.bench.BenchException;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.json.JsonMapper;

/// A queue at RabbitMQ that hears all events of orders, from the beginning, and is never deleted.
final class RabbitLog {

  private static final String EXCHANGE = "ecommerce.events";
  private static final String QUEUE = "chaos-log";
  private static final String EVENTS = "order.*";

  private RabbitLog() {}

  private static ConnectionFactory at(String url) {
    try {
      var factory = new ConnectionFactory();
      factory.setUri(url);
      return factory;
    } catch (URISyntaxException | GeneralSecurityException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static void begin(String url) {
    try (var connection = at(url).newConnection();
        var channel = connection.createChannel()) {
      channel.exchangeDeclare(EXCHANGE, BuiltinExchangeType.TOPIC, true);
      channel.queueDeclare(QUEUE, true, false, false, Map.of());
      channel.queueBind(QUEUE, EXCHANGE, EVENTS);
    } catch (IOException | TimeoutException e) {
      throw new BenchException("RabbitMQ does not take our queue: " + e, e);
    }
  }

  /// The ids of all that it has heard.
  static Set<String> heard(String url) {
    var ids = new HashSet<String>();
    try (var connection = at(url).newConnection();
        var channel = connection.createChannel()) {
      for (var got = channel.basicGet(QUEUE, true);
          got != null;
          got = channel.basicGet(QUEUE, true)) {
        var body = new String(got.getBody(), StandardCharsets.UTF_8);
        ids.add(JsonMapper.shared().readTree(body).path("id").asString());
      }
    } catch (IOException | TimeoutException e) {
      throw new BenchException("RabbitMQ does not tell what it has: " + e, e);
    }
    return ids;
  }
}
