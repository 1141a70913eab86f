package dev.tuntas.adapters.bus;

import dev.tuntas.bus.BusAwayException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads the topics of one queue on a thread of its own. An offset is committed when what lies
/// before it was handled, so that a crash brings a message again and never loses one.
final class KafkaListening extends Listening {

  private static final Logger log = LoggerFactory.getLogger(KafkaListening.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

  private final KafkaAccess settings;
  private final KafkaTopics topics;
  private final Set<String> kinds;
  private final Taker<ConsumerRecord<byte[], byte[]>> taker;
  private final Duration notNow;
  private volatile @Nullable Consumer<byte[], byte[]> consumer;

  KafkaListening(
      KafkaAccess settings,
      KafkaTopics topics,
      String queue,
      Set<String> kinds,
      Taker<ConsumerRecord<byte[], byte[]>> taker,
      Duration notNow) {
    super(queue);
    this.settings = settings;
    this.topics = topics;
    this.kinds = Set.copyOf(kinds);
    this.taker = taker;
    this.notNow = notNow;
  }

  @Override
  void listen() throws BusAwayException {
    var there = there();
    if (there.isEmpty()) throw new BusAwayException("Kafka has none of the topics " + kinds, null);
    consume(there);
  }

  private Set<String> there() throws BusAwayException {
    var there = new TreeSet<>(kinds);
    there.removeAll(topics.require(kinds));
    return there;
  }

  @Override
  void troubled() {
    topics.forget();
  }

  @Override
  void wake() {
    var opened = consumer;
    if (opened != null) opened.wakeup();
  }

  /// Until other topics are there.
  private void consume(Set<String> there) throws BusAwayException {
    var bytes = new ByteArrayDeserializer();
    var opened = new KafkaConsumer<>(settings.consumer(queue), bytes, bytes);
    consumer = opened;
    try {
      opened.subscribe(there);
      listening();
      while (isOpen() && (there.size() == kinds.size() || there.equals(there()))) {
        if (isPaused()) opened.pause(opened.assignment());
        else opened.resume(opened.paused());
        take(opened, opened.poll(POLL));
      }
    } finally {
      consumer = null;
      close(opened);
    }
  }

  private void take(Consumer<byte[], byte[]> from, ConsumerRecords<byte[], byte[]> polled) {
    if (polled.isEmpty()) return;
    var done = new HashMap<TopicPartition, OffsetAndMetadata>();
    boolean stuck = false;
    for (var partition : polled.partitions()) {
      var batch = polled.records(partition);
      int taken = isOpen() && !isPaused() ? taker.take(batch, this::rest) : 0;
      if (taken > 0) {
        done.put(partition, new OffsetAndMetadata(batch.get(taken - 1).offset() + 1));
      }
      if (taken < batch.size()) {
        from.seek(partition, batch.get(taken).offset());
        stuck = true;
      }
    }
    commit(from, done);
    if (stuck && !isPaused()) rest(notNow);
  }

  /// A commit that fails brings messages again, which their handlers must bear anyway.
  private void commit(
      Consumer<byte[], byte[]> from, Map<TopicPartition, OffsetAndMetadata> offsets) {
    if (offsets.isEmpty()) return;
    try {
      from.commitSync(offsets, settings.patience());
    } catch (WakeupException _) {
      from.commitSync(offsets, settings.patience()); // it is woken once only
    } catch (KafkaException e) {
      log.warn("{} will see {} partitions again: {}", queue, offsets.size(), e.toString());
    }
  }

  private void close(Consumer<byte[], byte[]> opened) {
    try {
      opened.close(CloseOptions.timeout(CLOSE_WITHIN));
    } catch (KafkaException e) {
      log.info("{} was closed late: {}", queue, e.toString());
    }
  }
}
