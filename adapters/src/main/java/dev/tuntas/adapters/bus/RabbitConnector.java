package dev.tuntas.adapters.bus;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.tuntas.bus.DeadLetter;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/// Makes connections, and declares what must be there. The client's own recovery is off: whoever
/// loses a connection begins anew, and so declares everything again.
final class RabbitConnector {

  private static final int HEARTBEAT_SECONDS = 5;

  private final RabbitAccess settings;
  private final ConnectionFactory factory = new ConnectionFactory();

  RabbitConnector(RabbitAccess settings) {
    this.settings = settings;
    int millis = Math.toIntExact(settings.patience().toMillis());
    try {
      factory.setUri(settings.url());
    } catch (URISyntaxException | GeneralSecurityException e) {
      throw new IllegalArgumentException("the broker's URL cannot be used: " + e.getMessage(), e);
    }
    factory.setAutomaticRecoveryEnabled(false);
    factory.setTopologyRecoveryEnabled(false);
    factory.setConnectionTimeout(millis);
    factory.setHandshakeTimeout(millis);
    factory.setChannelRpcTimeout(millis);
    factory.setRequestedHeartbeat(HEARTBEAT_SECONDS);
  }

  RabbitAccess settings() {
    return settings;
  }

  Connection connect(String name) throws IOException, TimeoutException {
    return factory.newConnection(name);
  }

  Channel channel(Connection connection) throws IOException {
    var channel = connection.createChannel();
    if (channel == null) throw new IOException("the broker has no channel left");
    declareExchange(channel);
    return channel;
  }

  private void declareExchange(Channel channel) throws IOException {
    channel.exchangeDeclare(settings.exchange(), BuiltinExchangeType.TOPIC, true);
  }

  /// A queue that outlives everybody, with the one for its dead letters beside it. Returns whether
  /// anybody consumes it.
  boolean declare(Channel channel, String queue, Set<String> kinds, boolean inOrder)
      throws IOException {
    declareExchange(channel);
    declareDead(channel, queue);
    var found = channel.queueDeclare(queue, true, false, false, arguments(channel, queue, inOrder));
    for (var kind : kinds) channel.queueBind(queue, settings.exchange(), kind);
    return found.getConsumerCount() > 0;
  }

  /// The queue of a queue's dead letters. Returns whether anybody consumes it.
  boolean declareDead(Channel channel, String queue) throws IOException {
    var found = channel.queueDeclare(queue + DeadLetter.SUFFIX, true, false, false, Map.of());
    return found.getConsumerCount() > 0;
  }

  /// Others than RabbitMQ close the connection when they see arguments that they do not know. Dead
  /// letters are ours to send in any case; these are for what the broker itself gives up on.
  private static Map<String, Object> arguments(Channel channel, String queue, boolean inOrder) {
    var product = channel.getConnection().getServerProperties().get("product");
    if (product == null || !product.toString().equals("RabbitMQ")) return Map.of();
    return Map.of(
        "x-dead-letter-exchange",
        "",
        "x-dead-letter-routing-key",
        queue + DeadLetter.SUFFIX,
        "x-single-active-consumer",
        inOrder);
  }
}
