package dev.tuntas.adapters.bus;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AMQP.Queue.DeclareOk;
import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.ShutdownSignalException;
import dev.tuntas.bus.DeadLetter;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes connections, and declares what must be there. The client's own recovery is off: whoever
/// loses a connection begins anew, and so declares everything again.
final class RabbitConnector {

  private static final Logger log = LoggerFactory.getLogger(RabbitConnector.class);
  private static final int HEARTBEAT_SECONDS = 5;

  private final RabbitAccess settings;
  private final ConnectionFactory factory = new ConnectionFactory();
  private final Set<String> said = ConcurrentHashMap.newKeySet();

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
    declareExchange(connection);
    return open(connection);
  }

  private static Channel open(Connection connection) throws IOException {
    var channel = connection.createChannel();
    if (channel == null) throw new IOException("the broker has no channel left");
    return channel;
  }

  private void declareExchange(Connection connection) throws IOException {
    var exchange = settings.exchange();
    declared(
        connection,
        "the exchange " + exchange,
        channel -> channel.exchangeDeclare(exchange, BuiltinExchangeType.TOPIC, true),
        channel -> channel.exchangeDeclarePassive(exchange));
  }

  /// A queue that outlives everybody, with the one for its dead letters beside it. Returns whether
  /// anybody consumes it.
  boolean declare(Connection connection, String queue, Set<String> kinds, boolean inOrder)
      throws IOException {
    declareExchange(connection);
    declareDead(connection, queue);
    var found = declareQueue(connection, queue, arguments(connection, queue, inOrder));
    declared(
        connection,
        "a binding of " + queue + " to " + settings.exchange() + " for each of " + kinds,
        channel -> {
          for (var kind : kinds) channel.queueBind(queue, settings.exchange(), kind);
          return found;
        },
        _ -> found);
    return found.getConsumerCount() > 0;
  }

  /// The queue of a queue's dead letters. Returns whether anybody consumes it.
  boolean declareDead(Connection connection, String queue) throws IOException {
    return declareQueue(connection, queue + DeadLetter.SUFFIX, Map.of()).getConsumerCount() > 0;
  }

  private DeclareOk declareQueue(Connection connection, String queue, Map<String, Object> arguments)
      throws IOException {
    return declared(
        connection,
        "the queue " + queue,
        channel -> channel.queueDeclare(queue, true, false, false, arguments),
        channel -> channel.queueDeclarePassive(queue));
  }

  private interface Step<T> {
    T on(Channel channel) throws IOException;
  }

  /// Where we may not declare something, or others have declared it in their way, it is looked for.
  /// Each on a channel of its own: the broker closes it with a refusal.
  private <T> T declared(Connection connection, String what, Step<T> declare, Step<T> find)
      throws IOException {
    try {
      return on(connection, declare);
    } catch (IOException refused) {
      if (!isRefusal(refused)) throw refused;
      if (said.add(what)) {
        log.warn("The broker does not let us declare {}; it must be there as it is needed", what);
      }
      return on(connection, find);
    }
  }

  private static <T> T on(Connection connection, Step<T> step) throws IOException {
    var channel = open(connection);
    try {
      return step.on(channel);
    } finally {
      channel.abort();
    }
  }

  private static boolean isRefusal(IOException failure) {
    return failure.getCause() instanceof ShutdownSignalException signal
        && signal.getReason() instanceof AMQP.Channel.Close close
        && (close.getReplyCode() == AMQP.ACCESS_REFUSED
            || close.getReplyCode() == AMQP.PRECONDITION_FAILED);
  }

  /// Others than RabbitMQ close the connection when they see arguments that they do not know. Dead
  /// letters are ours to send in any case; these are for what the broker itself gives up on.
  private static Map<String, Object> arguments(
      Connection connection, String queue, boolean inOrder) {
    var product = connection.getServerProperties().get("product");
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
