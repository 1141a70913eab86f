package dev.tuntas.adapters.bus;

import dev.tuntas.bus.Attempts;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.Subscription;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
final class KafkaListening implements Subscription {

  private static final Logger log = LoggerFactory.getLogger(KafkaListening.class);
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

  /// What is done with the records of one partition.
  interface Records {
    /// Returns how many of them, from the first on, are done with.
    int take(List<ConsumerRecord<byte[], byte[]>> records, Attempts.Rest rest);
  }

  private final KafkaAccess settings;
  private final KafkaTopics topics;
  private final String queue;
  private final Set<String> kinds;
  private final Records records;
  private final Duration notNow;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean paused;
  private volatile @Nullable Consumer<byte[], byte[]> consumer;

  KafkaListening(
      KafkaAccess settings,
      KafkaTopics topics,
      String queue,
      Set<String> kinds,
      Records records,
      Duration notNow) {
    this.settings = settings;
    this.topics = topics;
    this.queue = queue;
    this.kinds = Set.copyOf(kinds);
    this.records = records;
    this.notNow = notNow;
    this.thread = Thread.ofPlatform().daemon().name("tuntas-bus-" + queue).unstarted(this::run);
  }

  void begin() {
    thread.start();
  }

  /// Whatever ends a consumer, another one goes on from the last commit.
  private void run() {
    while (isOpen()) {
      try {
        topics.require(kinds);
        consume();
      } catch (WakeupException _) {
        // only ever asked for at the end
      } catch (BusAwayException | RuntimeException | Error trouble) {
        if (!isOpen()) return;
        log.warn("{} cannot listen now: {}", queue, trouble.toString());
        topics.forget();
        rest(RETRY);
      }
    }
  }

  private boolean isOpen() {
    return ended.getCount() > 0;
  }

  private void consume() {
    var bytes = new ByteArrayDeserializer();
    var opened = new KafkaConsumer<>(settings.consumer(queue), bytes, bytes);
    consumer = opened;
    try {
      opened.subscribe(kinds);
      while (isOpen()) {
        if (paused) opened.pause(opened.assignment());
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
      int taken = isOpen() && !paused ? records.take(batch, this::rest) : 0;
      if (taken > 0) {
        done.put(partition, new OffsetAndMetadata(batch.get(taken - 1).offset() + 1));
      }
      if (taken < batch.size()) {
        from.seek(partition, batch.get(taken).offset());
        stuck = true;
      }
    }
    commit(from, done);
    if (stuck && !paused) rest(notNow);
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
    var opened = consumer;
    if (opened != null) opened.wakeup();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
