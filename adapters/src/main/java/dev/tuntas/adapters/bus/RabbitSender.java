package dev.tuntas.adapters.bus;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import dev.tuntas.bus.BusAwayException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Publishes, and waits until the broker has confirmed.
final class RabbitSender implements AutoCloseable {

  /// @param exchange empty for a queue by its name
  record Letter(String exchange, String routingKey, BasicProperties properties, byte[] body) {}

  private final RabbitConnector connector;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<String> returned = ConcurrentHashMap.newKeySet();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final ConcurrentNavigableMap<Long, String> unconfirmed = new ConcurrentSkipListMap<>();
  private @Nullable Channel channel;

  RabbitSender(RabbitConnector connector) {
    this.connector = connector;
  }

  /// Returns the ids of those that went to no queue at all. The broker says so before it confirms.
  Set<String> send(List<Letter> letters) throws BusAwayException {
    lock.lock();
    try {
      var used = reach();
      returned.clear();
      refused.clear();
      unconfirmed.clear();
      for (var letter : letters) {
        unconfirmed.put(used.getNextPublishSeqNo(), letter.properties.getMessageId());
        used.basicPublish(letter.exchange, letter.routingKey, true, letter.properties, letter.body);
      }
      if (!used.waitForConfirms(connector.settings().patience().toMillis())) {
        // An answer to a question means that what the broker returned is here, too.
        used.exchangeDeclarePassive(connector.settings().exchange());
        if (!returned.containsAll(refused)) throw new IOException("it took not all of them");
      }
      return Set.copyOf(returned);
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      abandon();
      throw new BusAwayException("send to the broker: " + why(e), e);
    } catch (InterruptedException e) {
      abandon();
      Thread.currentThread().interrupt();
      throw new BusAwayException("send to the broker: interrupted", e);
    } finally {
      lock.unlock();
    }
  }

  void ping() throws BusAwayException {
    lock.lock();
    try {
      reach();
    } finally {
      lock.unlock();
    }
  }

  private Channel reach() throws BusAwayException {
    try {
      return channel();
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      throw BusAwayException.unreached("reach the broker: " + why(e), e);
    }
  }

  private Channel channel() throws IOException, TimeoutException {
    if (channel != null && channel.isOpen()) return channel;
    abandon();
    var connection = connector.connect("tuntas-sender");
    try {
      var opened = connector.channel(connection);
      opened.confirmSelect();
      opened.addReturnListener(back -> returned.add(back.getProperties().getMessageId()));
      opened.addConfirmListener((_, _) -> {}, this::refused);
      channel = opened;
      return opened;
    } finally {
      if (channel == null) connection.abort(1_000);
    }
  }

  /// Some brokers confirm what they return, others refuse it.
  private void refused(long number, boolean andAllBefore) {
    refused.addAll(
        (andAllBefore
                ? unconfirmed.headMap(number, true)
                : unconfirmed.subMap(number, true, number, true))
            .values());
  }

  /// The client often says nothing itself, but its cause does.
  private static String why(Exception failure) {
    var cause = failure.getCause();
    boolean mute = failure.getMessage() == null && cause != null;
    return mute ? String.valueOf(cause) : failure.toString();
  }

  private void abandon() {
    if (channel != null) channel.getConnection().abort(1_000);
    channel = null;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      abandon();
    } finally {
      lock.unlock();
    }
  }
}
