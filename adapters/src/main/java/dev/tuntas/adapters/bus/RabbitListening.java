package dev.tuntas.adapters.bus;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the messages of one queue on a thread of its own. After a lost connection, and after a
/// pause, it begins anew; what it had not finished the broker hands out again. When the broker
/// cancels it, because the queue was deleted or its node is lost, it declares the queue and
/// consumes again on the same channel, so that what it holds is not dropped.
final class RabbitListening extends Listening {

  private static final Logger log = LoggerFactory.getLogger(RabbitListening.class);
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final int HINTS_MIN = 2;

  /// Nobody tells a consumer that its bindings were deleted, with the exchange or without.
  private static final Duration DECLARE_EVERY = Duration.ofSeconds(5);

  /// Makes the queue, with what belongs to it. Returns whether anybody consumes it.
  @FunctionalInterface
  interface Declaring {
    boolean on(Connection connection) throws IOException;
  }

  private final RabbitConnector connector;
  private final Declaring declaring;
  private final Taker<Delivery> taker;
  private final Duration notNow;
  private final CountDownLatch begun = new CountDownLatch(1);

  RabbitListening(
      RabbitConnector connector,
      String queue,
      Declaring declaring,
      Taker<Delivery> taker,
      Duration notNow) {
    super(queue);
    this.connector = connector;
    this.declaring = declaring;
    this.taker = taker;
    this.notNow = notNow;
  }

  /// Waits a moment for the queue to be there: what is sent before it is, it does not hear.
  @Override
  void begin() {
    super.begin();
    try {
      if (!begun.await(connector.settings().patience().toMillis(), TimeUnit.MILLISECONDS)) {
        log.warn("{} is not there yet", queue);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  void listen() throws IOException, TimeoutException, InterruptedException {
    if (isPaused()) {
      rest(LOOK);
      return;
    }
    try {
      consume();
    } finally {
      begun.countDown();
    }
  }

  private void consume() throws IOException, TimeoutException, InterruptedException {
    var connection = connector.connect("tuntas-" + queue);
    try {
      var consumer = new Consumer(connector.channel(connection));
      consumer.register();
      begun.countDown();
      listening();
      while (isOpen() && !isPaused()) {
        consumer.stayRegistered();
        var first = consumer.waiting.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null && !isPaused()) take(consumer, first);
      }
    } finally {
      connection.abort(1_000);
    }
  }

  private void take(Consumer consumer, Delivery first) throws IOException {
    var batch = new ArrayList<Delivery>();
    batch.add(first);
    consumer.waiting.drainTo(batch, atOnce() - 1);
    while (isOpen()) {
      if (taker.take(batch, this::rest) == batch.size()) {
        consumer.channel.basicAck(batch.getLast().getEnvelope().getDeliveryTag(), true);
        return;
      }
      rest(notNow);
      consumer.stayRegistered();
    }
  }

  /// The registration at the broker, and what it has handed out.
  private final class Consumer {

    final Channel channel;
    final BlockingQueue<Delivery> waiting = new LinkedBlockingQueue<>();
    private volatile boolean cancelled;
    private long declaredNanos;

    Consumer(Channel channel) {
      this.channel = channel;
    }

    void register() throws IOException {
      cancelled = false;
      declare();
      channel.basicQos(connector.settings().prefetch());
      channel.basicConsume(
          queue,
          false,
          (_, delivery) -> waiting.add(delivery),
          (String _) -> cancelled = true,
          (String _, ShutdownSignalException _) -> {});
    }

    private boolean declare() throws IOException {
      declaredNanos = System.nanoTime();
      return declaring.on(channel.getConnection());
    }

    /// Brokers other than RabbitMQ cancel nobody: there a queue without consumers is a new one.
    void stayRegistered() throws IOException {
      if (!channel.isOpen()) throw new IOException("the connection was lost");
      boolean isDue = System.nanoTime() - declaredNanos > DECLARE_EVERY.toNanos();
      if (!cancelled && (!isDue || declare())) return;
      log.warn("The broker has cancelled the consumer of {}; it registers again", queue);
      register();
    }
  }

  private int atOnce() {
    return taker.inOrder() ? 1 : Math.max(HINTS_MIN, connector.settings().prefetch());
  }
}
