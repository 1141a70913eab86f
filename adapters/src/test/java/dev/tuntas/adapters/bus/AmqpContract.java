package dev.tuntas.adapters.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.impl.LongStringHelper;
import dev.tuntas.bus.Bus;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.BusWatch;
import dev.tuntas.bus.DeadLetter;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.MessageBook;
import dev.tuntas.bus.MessageBook.Expiry;
import dev.tuntas.bus.MessageRelay;
import dev.tuntas.bus.NotNow;
import dev.tuntas.bus.TimeoutWorker;
import dev.tuntas.bus.UnsentException;
import dev.tuntas.store.Tables;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The contract, and what is particular to brokers that speak AMQP 0-9-1.
abstract class AmqpContract extends BusContract {

  static final String EXCHANGE = "ecommerce.events";

  abstract URI url();

  abstract void stopBroker() throws Exception;

  /// On the same port.
  abstract void startBroker() throws Exception;

  RabbitAccess access() {
    return new RabbitAccess(url(), EXCHANGE, 10, Duration.ofSeconds(30));
  }

  @Override
  Bus open(BusWatch watch) {
    return new RabbitBus(access(), QUICK, watch, InstantSource.system());
  }

  @Override
  List<Message> dead(String ofQueue, String ofKind, int wanted) throws Exception {
    var dead = new ArrayList<Message>();
    var connector = new RabbitConnector(access());
    try (var connection = connector.connect("tests")) {
      var channel = connector.channel(connection);
      until(
          () -> {
            var got = channel.basicGet(ofQueue + DeadLetter.SUFFIX, true);
            if (got != null) dead.add(read(got));
            return dead.size() >= wanted;
          });
    }
    return dead;
  }

  /// Texts go as they are: AMQP takes any bytes for one.
  @Override
  void putDead(String ofQueue, String ofKind, Map<String, byte[]> headers, byte[] body)
      throws Exception {
    var connector = new RabbitConnector(access());
    try (var connection = connector.connect("tests")) {
      connector.declareDead(connection, ofQueue);
      var channel = connector.channel(connection);
      var carried = new HashMap<String, Object>();
      headers.forEach((name, value) -> carried.put(name, LongStringHelper.asLongString(value)));
      var properties =
          new BasicProperties.Builder()
              .messageId(Utf8.guessed(headers.get("id")))
              .headers(carried)
              .build();
      channel.basicPublish("", ofQueue + DeadLetter.SUFFIX, properties, body);
      channel.basicQos(1); // an answer means that it was taken
    }
  }

  private static Message read(GetResponse got) throws Exception {
    return RabbitLetters.read(new Delivery(got.getEnvelope(), got.getProps(), got.getBody()));
  }

  @Test
  void a_command_that_no_queue_takes_is_unsent_and_an_event_is_not() throws Exception {
    var command = Message.command("c", kind, "k", "{}");
    assertThatThrownBy(() -> bus.send(List.of(Message.event("e", kind, "k", "{}"), command)))
        .isInstanceOfSatisfying(
            UnsentException.class, e -> assertThat(e.reasons()).containsOnlyKeys("c"));

    var heard = new LinkedBlockingQueue<Message>();
    bus.listen(queue, Set.of(kind), heard::add);
    bus.send(List.of(command));
    assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(command);
  }

  @Test
  void bytes_that_are_no_message_are_dead_letters_and_hold_up_nobody() throws Exception {
    var heard = new LinkedBlockingQueue<Message>();
    bus.listen(queue, Set.of(kind), heard::add);
    var connector = new RabbitConnector(access());
    try (var connection = connector.connect("tests")) {
      var channel = connector.channel(connection);
      channel.basicPublish(EXCHANGE, kind, new BasicProperties(), Utf8.bytes("{}"));
      var named = new BasicProperties.Builder().messageId("n").build();
      channel.basicPublish(EXCHANGE, kind, named, new byte[] {(byte) 0xff, 1});
      channel.basicQos(1); // an answer means that both were taken
    }
    bus.send(some(1, "a"));

    assertThat(heard.poll(30, TimeUnit.SECONDS)).isNotNull();
    assertThat(counts.results).containsEntry(BusWatch.Result.DEAD, 2);
  }

  @Test
  @Timeout(180)
  void after_a_lost_connection_all_consumers_register_again() throws Exception {
    var heard = new LinkedBlockingQueue<String>();
    bus.listen(queue, Set.of(kind), message -> heard.add(message.id()));
    bus.listen(queue + "-other", Set.of(kind), message -> heard.add(message.id()));
    bus.send(some(1, "before"));
    for (int i = 0; i < 2; i++) assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("before/0");

    stopBroker();
    assertThatThrownBy(() -> bus.send(some(1, "meanwhile"))).isInstanceOf(BusAwayException.class);
    startBroker();

    // Both are there again when both hear one and the same message.
    int both = 0;
    for (int i = 0; both < 2; i++) {
      var id = "after-" + i;
      try {
        bus.send(some(1, id));
      } catch (BusAwayException _) {
        continue;
      }
      both = 0;
      while (both < 2) {
        var next = heard.poll(1, TimeUnit.SECONDS);
        if (next == null) break;
        if (next.equals(id + "/0")) both++;
      }
    }
    assertThat(both).isEqualTo(2);
  }

  @Test
  @Timeout(180)
  void a_command_expires_while_the_broker_is_away_and_what_goes_out_instead_is_heard(
      @TempDir Path data) throws Exception {
    var heard = new LinkedBlockingQueue<String>();
    bus.listen(queue, Set.of(kind, kind + ".instead"), message -> heard.add(message.id()));
    bus.send(some(1, "before"));
    assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("before/0");
    var now = new AtomicReference<>(Instant.EPOCH);
    try (var tables = Tables.sqlite(data, MessageBook.TABLES)) {
      var book = new MessageBook();
      var relay = new MessageRelay(tables, book, bus, now::get, "here", Duration.ofDays(1));
      var worker = new TimeoutWorker(tables, book, BusWatch.NONE, now::get);
      stopBroker();
      var soon = new Expiry(Instant.EPOCH.plusSeconds(60), kind + ".instead", "{}");
      var command = Message.command("c", kind, "k", "{}");
      tables.write("put", session -> book.put(session, command, soon, now.get()));
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(relay::relay).isInstanceOf(BusAwayException.class);
      }
      now.set(Instant.EPOCH.plusSeconds(61));
      assertThat(worker.expire()).isEqualTo(1);
      startBroker();

      untilHeard(heard);
      relay.relay();
    }
    assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(MessageBook.insteadOf("c"));
  }

  /// Somebody at the broker, on a connection of their own.
  private interface Meddling {
    void with(Channel channel) throws IOException;
  }

  private void meddle(Meddling meddling) throws Exception {
    var connector = new RabbitConnector(access());
    try (var connection = connector.connect("tests")) {
      meddling.with(connector.channel(connection));
    }
  }

  /// A queue that is just being deleted may take a message with it.
  private void untilHeard(BlockingQueue<String> heard) throws Exception {
    var sent = new AtomicInteger();
    until(
        () -> {
          var id = "after/" + sent.incrementAndGet();
          try {
            bus.send(List.of(Message.command(id, kind, "k", "{}")));
          } catch (UnsentException | BusAwayException _) {
            return false;
          }
          var next = heard.poll(1, TimeUnit.SECONDS);
          while (next != null && !next.equals(id)) next = heard.poll(1, TimeUnit.SECONDS);
          return next != null;
        });
  }

  @Test
  void a_consumer_whose_queue_is_deleted_declares_it_and_hears_again() throws Exception {
    var heard = new LinkedBlockingQueue<String>();
    bus.listen(queue, Set.of(kind), message -> heard.add(message.id()));
    for (int i = 0; i < 2; i++) {
      meddle(channel -> channel.queueDelete(queue));
      untilHeard(heard);
    }
  }

  @Test
  void a_consumer_whose_exchange_is_deleted_is_bound_again() throws Exception {
    var heard = new LinkedBlockingQueue<String>();
    bus.listen(queue, Set.of(kind), message -> heard.add(message.id()));
    meddle(channel -> channel.exchangeDelete(EXCHANGE));

    untilHeard(heard);
  }

  @Test
  void what_a_cancelled_consumer_holds_is_taken_all_the_same() throws Exception {
    var heard = new LinkedBlockingQueue<String>();
    var tried = new CountDownLatch(1);
    var isThere = new AtomicBoolean();
    bus.listen(
        queue,
        Set.of(kind),
        message -> {
          tried.countDown();
          if (!isThere.get()) throw new NotNow("the database is away", null);
          heard.add(message.id());
        });
    bus.send(some(1, "held"));
    assertThat(tried.await(30, TimeUnit.SECONDS)).isTrue();
    meddle(channel -> channel.queueDelete(queue));
    isThere.set(true);

    assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("held/0");
    untilHeard(heard);
  }
}
