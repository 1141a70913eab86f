package dev.tuntas.adapters.bus;

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
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/// The bus on Kafka: a topic for each kind of message, a consumer group for each queue. Messages of
/// one kind and key lie in one partition, and a partition stands still while one of them is tried
/// again. Dead letters go to the topic of their kind with `.dlq` behind it.
public final class KafkaBus implements Bus {

  private final KafkaAccess settings;
  private final KafkaTopics topics;
  private final KafkaSender sender;
  private final Attempts attempts;
  private final KafkaWire wire;
  private final BusWatch watch;
  private final List<KafkaListening> subscriptions = new CopyOnWriteArrayList<>();

  public KafkaBus(
      KafkaAccess settings, Attempts.Patience patience, BusWatch watch, InstantSource clock) {
    this.settings = settings;
    this.topics = new KafkaTopics(settings, watch);
    this.sender = new KafkaSender(settings, topics);
    this.attempts = new Attempts(patience, watch);
    this.wire = new KafkaWire(sender, clock);
    this.watch = watch;
  }

  @Override
  public void send(List<Message> messages) throws BusAwayException, UnsentException {
    if (messages.isEmpty()) return;
    var reasons = new LinkedHashMap<String, String>();
    var waiting = new TreeSet<String>();
    var missing = topics.require(messages.stream().map(Message::kind).toList());
    for (var message : messages) {
      if (!missing.contains(message.kind())) continue;
      if (!message.isCommand()) waiting.add(message.kind());
      else reasons.put(message.id(), "Kafka has no topic " + message.kind() + ".");
    }
    var known = messages.stream().filter(it -> !missing.contains(it.kind())).toList();
    var refused = sender.send(known.stream().map(KafkaRecords::of).toList());
    refused.forEach((place, why) -> reasons.put(known.get(place).id(), why));
    watch.published(known.size() - refused.size());
    if (reasons.isEmpty() && waiting.isEmpty()) return;
    throw new UnsentException(reasons, waiting);
  }

  @Override
  public Subscription listen(String queue, Set<String> kinds, Handler handler) {
    return begin(queue, kinds, new Taking<>(queue, handler, attempts, wire));
  }

  @Override
  public Subscription overhear(String queue, Set<String> kinds, Consumer<List<Message>> hearer) {
    return begin(queue, kinds, new Hearing<>(hearer, attempts, wire));
  }

  @Override
  public Subscription collect(String queue, Set<String> kinds, Consumer<DeadMessage> keeper) {
    var topicsOfDead = new TreeSet<String>();
    for (var kind : kinds) topicsOfDead.add(kind + DeadLetter.SUFFIX);
    return begin(
        queue + DeadLetter.SUFFIX,
        topicsOfDead,
        new Collecting<>(queue, it -> KafkaRecords.readDead(it, queue).stream(), keeper));
  }

  private Subscription begin(
      String queue, Set<String> kinds, Taker<ConsumerRecord<byte[], byte[]>> taker) {
    var listening = new KafkaListening(settings, topics, queue, kinds, taker, attempts.pauseMax());
    subscriptions.add(listening);
    listening.begin();
    return listening;
  }

  @Override
  public void prepare(Set<String> kinds) throws BusAwayException {
    topics.require(kinds);
  }

  @Override
  public void ping() throws BusAwayException {
    topics.ping();
  }

  @Override
  public void close() {
    for (var subscription : subscriptions) subscription.close();
    sender.close();
    topics.close();
  }
}
