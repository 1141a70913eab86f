package dev.tuntas.adapters.bus;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.ShutdownSignalException;
import dev.tuntas.bus.Attempts;
import dev.tuntas.bus.Subscription;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes the messages of one queue on a thread of its own. After a lost connection, and after a
/// pause, it begins anew; what it had not finished the broker hands out again.
final class RabbitListening implements Subscription {

  private static final Logger log = LoggerFactory.getLogger(RabbitListening.class);
  private static final Duration LOOK = Duration.ofMillis(100);
  private static final Duration RETRY = Duration.ofSeconds(1);

  /// What is done with deliveries.
  interface Deliveries {
    /// How many are taken together.
    int atOnce();

    /// Whether all of them are done with.
    boolean take(List<Delivery> deliveries, Attempts.Rest rest);
  }

  private final RabbitConnector connector;
  private final String queue;
  private final Set<String> kinds;
  private final Deliveries deliveries;
  private final Duration notNow;
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean paused;

  RabbitListening(
      RabbitConnector connector,
      String queue,
      Set<String> kinds,
      Deliveries deliveries,
      Duration notNow) {
    this.connector = connector;
    this.queue = queue;
    this.kinds = Set.copyOf(kinds);
    this.deliveries = deliveries;
    this.notNow = notNow;
    this.thread = Thread.ofPlatform().daemon().name("tuntas-bus-" + queue).unstarted(this::run);
  }

  /// Waits a moment for the queue to be there: what is sent before it is, it does not hear.
  void begin() {
    thread.start();
    try {
      if (!begun.await(connector.settings().patience().toMillis(), TimeUnit.MILLISECONDS)) {
        log.warn("{} is not there yet", queue);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (isOpen()) {
      if (paused) {
        rest(LOOK);
        continue;
      }
      try {
        consume();
      } catch (IOException
          | TimeoutException
          | InterruptedException
          | RuntimeException
          | Error trouble) {
        begun.countDown();
        if (!isOpen()) return;
        log.warn("{} cannot listen now: {}", queue, trouble.toString());
        rest(RETRY);
      }
    }
  }

  private boolean isOpen() {
    return ended.getCount() > 0;
  }

  private void consume() throws IOException, TimeoutException, InterruptedException {
    var connection = connector.connect("tuntas-" + queue);
    try {
      var channel = connector.channel(connection);
      connector.declare(channel, queue, kinds, deliveries.atOnce() == 1);
      var waiting = new LinkedBlockingQueue<Delivery>();
      channel.basicQos(connector.settings().prefetch());
      channel.basicConsume(
          queue,
          false,
          (_, delivery) -> waiting.add(delivery),
          (String _) -> log.info("{} was cancelled by the broker", queue),
          (String _, ShutdownSignalException _) -> {});
      begun.countDown();
      while (isOpen() && !paused) {
        if (!channel.isOpen()) throw new IOException("the connection was lost");
        var first = waiting.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null && !paused) take(channel, first, waiting);
      }
    } finally {
      connection.abort(1_000);
    }
  }

  private void take(Channel channel, Delivery first, BlockingQueue<Delivery> waiting)
      throws IOException {
    var batch = new ArrayList<Delivery>();
    batch.add(first);
    waiting.drainTo(batch, deliveries.atOnce() - 1);
    while (isOpen() && channel.isOpen()) {
      if (deliveries.take(batch, this::rest)) {
        channel.basicAck(batch.getLast().getEnvelope().getDeliveryTag(), true);
        return;
      }
      rest(notNow);
    }
  }

  private boolean rest(Duration pause) {
    try {
      return !ended.await(pause.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void pause() {
    paused = true;
  }

  @Override
  public void resume() {
    paused = false;
  }

  @Override
  public void close() {
    ended.countDown();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
