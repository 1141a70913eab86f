package dev.tuntas.adapters.bus;

import com.rabbitmq.client.Delivery;
import dev.tuntas.bus.Attempts;
import dev.tuntas.bus.Bus;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.BusWatch;
import dev.tuntas.bus.DeadLetter;
import dev.tuntas.bus.DeadMessage;
import dev.tuntas.bus.Handler;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Subscription;
import dev.tuntas.bus.UnsentException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The bus on RabbitMQ, or another broker that speaks AMQP 0-9-1: one topic exchange, the kind as
/// the routing key, a durable queue for each consumer with `<queue>.dlq` beside it. On RabbitMQ one
/// subscription of a queue is active at a time, so that order is kept.
public final class RabbitBus implements Bus {

  private final RabbitAccess settings;
  private final RabbitConnector connector;
  private final RabbitSender sender;
  private final Attempts attempts;
  private final RabbitWire wire;
  private final BusWatch watch;
  private final List<RabbitListening> subscriptions = new CopyOnWriteArrayList<>();

  public RabbitBus(
      RabbitAccess settings, Attempts.Patience patience, BusWatch watch, InstantSource clock) {
    this.settings = settings;
    this.connector = new RabbitConnector(settings);
    this.sender = new RabbitSender(connector);
    this.attempts = new Attempts(patience, watch);
    this.wire = new RabbitWire(sender, clock);
    this.watch = watch;
  }

  @Override
  public void send(List<Message> messages) throws BusAwayException, UnsentException {
    if (messages.isEmpty()) return;
    var exchange = settings.exchange();
    var unheard = sender.send(messages.stream().map(it -> RabbitLetters.of(it, exchange)).toList());
    var reasons = new LinkedHashMap<String, String>();
    for (var message : messages) {
      boolean lost = message.isCommand() && unheard.contains(message.id());
      if (lost) reasons.put(message.id(), "No queue listens to " + message.kind() + ".");
    }
    watch.published(messages.size() - reasons.size());
    if (!reasons.isEmpty()) throw new UnsentException(reasons, Set.of());
  }

  @Override
  public Subscription listen(String queue, Set<String> kinds, Handler handler) {
    return begin(queue, kinds, new Taking<>(queue, handler, attempts, wire));
  }

  @Override
  public Subscription overhear(String queue, Set<String> kinds, Consumer<List<Message>> hearer) {
    return begin(queue, kinds, new Hearing<>(hearer, attempts, wire));
  }

  private Subscription begin(String queue, Set<String> kinds, Taker<Delivery> taker) {
    return begin(
        queue, connection -> connector.declare(connection, queue, kinds, taker.inOrder()), taker);
  }

  @Override
  public Subscription collect(String queue, Set<String> kinds, Consumer<DeadMessage> keeper) {
    return begin(
        queue + DeadLetter.SUFFIX,
        connection -> connector.declareDead(connection, queue),
        new Collecting<>(queue, it -> Stream.of(RabbitLetters.readDead(it, queue)), keeper));
  }

  private Subscription begin(
      String queue, RabbitListening.Declaring declaring, Taker<Delivery> taker) {
    var listening = new RabbitListening(connector, queue, declaring, taker, attempts.pauseMax());
    subscriptions.add(listening);
    listening.begin();
    return listening;
  }

  /// All of them go through the exchange.
  @Override
  public void prepare(Set<String> kinds) throws BusAwayException {
    ping();
  }

  @Override
  public void ping() throws BusAwayException {
    sender.ping();
  }

  @Override
  public void close() {
    for (var subscription : subscriptions) subscription.close();
    sender.close();
  }
}
