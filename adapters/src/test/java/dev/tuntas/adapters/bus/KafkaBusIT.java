package dev.tuntas.adapters.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.bus.Bus;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.BusWatch;
import dev.tuntas.bus.DeadLetter;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Refused;
import dev.tuntas.testservers.TestKafka;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The contract on a real Kafka.
class KafkaBusIT extends BusContract {

  @TempDir static Path folder;
  private static TestKafka kafka;

  @BeforeAll
  static void start() throws Exception {
    kafka = TestKafka.start(folder);
  }

  @AfterAll
  static void stop() throws Exception {
    kafka.close();
  }

  private static KafkaAccess settings() {
    return new KafkaAccess(kafka.servers(), 3, Duration.ofSeconds(30));
  }

  @Override
  Bus open(BusWatch watch) {
    return new KafkaBus(settings(), QUICK, watch, InstantSource.system());
  }

  /// While partitions change hands, what is under way may come twice.
  @Override
  void untilShared(String ofQueue, int subscriptions) throws Exception {
    try (var admin = Admin.create(settings().admin())) {
      until(() -> isShared(admin, ofQueue, subscriptions));
    }
  }

  private static boolean isShared(Admin admin, String group, int members) throws Exception {
    try {
      var found = admin.describeConsumerGroups(Set.of(group)).describedGroups().get(group).get();
      return found.groupState() == GroupState.STABLE
          && found.members().size() == members
          && found.members().stream().noneMatch(it -> it.assignment().topicPartitions().isEmpty());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) return false; // nobody has joined yet
      throw e;
    }
  }

  @Override
  List<Message> dead(String ofQueue, String ofKind, int wanted) throws Exception {
    var dead = new ArrayList<Message>();
    var bytes = new ByteArrayDeserializer();
    try (var consumer = new KafkaConsumer<>(settings().consumer("dead-" + ofQueue), bytes, bytes)) {
      consumer.subscribe(Set.of(ofKind + DeadLetter.SUFFIX));
      while (dead.size() < wanted) {
        for (var wire : consumer.poll(Duration.ofMillis(200))) dead.add(KafkaRecords.read(wire));
      }
    }
    return dead.stream()
        .map(it -> new Message(it.id(), ofKind, it.key(), it.body(), it.headers(), it.isCommand()))
        .toList();
  }

  @Override
  void putDead(String ofQueue, String ofKind, Map<String, byte[]> headers, byte[] body)
      throws Exception {
    var topic = ofKind + DeadLetter.SUFFIX;
    bus.prepare(Set.of(topic));
    var bytes = new ByteArraySerializer();
    try (var producer = new KafkaProducer<>(settings().producer(), bytes, bytes)) {
      var wire = new ProducerRecord<>(topic, Utf8.bytes("k"), body);
      wire.headers().add(DeadLetter.QUEUE, Utf8.bytes(ofQueue));
      headers.forEach(wire.headers()::add);
      producer.send(wire).get();
    }
  }

  @Test
  void topics_are_there_before_the_first_message() throws Exception {
    bus.prepare(Set.of(kind, kind + ".other"));

    try (var admin = Admin.create(settings().admin())) {
      assertThat(admin.listTopics().names().get()).contains(kind, kind + ".other");
    }
  }

  @Test
  void a_dead_letter_says_where_it_was() throws Exception {
    bus.send(some(1, "a"));
    bus.listen(
        queue,
        Set.of(kind),
        _ -> {
          throw new Refused("no");
        });

    assertThat(dead(queue, kind, 1).getFirst().headers())
        .containsEntry(DeadLetter.TOPIC, kind)
        .containsEntry(DeadLetter.OFFSET, "0")
        .containsKeys(DeadLetter.PARTITION, DeadLetter.AT);
  }

  @Test
  void bytes_that_are_no_message_are_dead_letters_and_hold_up_nobody() throws Exception {
    var heard = new LinkedBlockingQueue<Message>();
    bus.send(some(1, "a"));
    var bytes = new ByteArraySerializer();
    try (var producer = new KafkaProducer<>(settings().producer(), bytes, bytes)) {
      var key = "a".getBytes(StandardCharsets.UTF_8);
      producer.send(new ProducerRecord<>(kind, key, new byte[] {(byte) 0xff, 1})).get();
      producer.send(new ProducerRecord<>(kind, key, null)).get();
    }
    bus.send(some(2, "a"));
    bus.listen(queue, Set.of(kind), heard::add);

    for (int i = 0; i < 3; i++) assertThat(heard.poll(30, TimeUnit.SECONDS)).isNotNull();
    assertThat(counts.results).containsEntry(BusWatch.Result.DEAD, 2);
  }

  @Test
  void a_server_whose_name_nobody_knows_is_one_that_is_away() {
    var nowhere = new KafkaAccess("kafka.invalid:9092", 3, Duration.ofSeconds(1));
    try (var lost = new KafkaBus(nowhere, QUICK, counts, InstantSource.system())) {
      lost.listen(queue, Set.of(kind), _ -> {});
      assertThatThrownBy(() -> lost.send(some(1, "a"))).isInstanceOf(BusAwayException.class);
    }
  }

  /// A client whose thread an error has ended answers nothing any more, as one that was closed.
  @Test
  void a_client_that_died_is_replaced() throws Exception {
    var made = new ArrayList<Admin>();
    Supplier<Admin> admins =
        () -> {
          made.add(Admin.create(settings().admin()));
          return made.getLast();
        };
    try (var topics = new KafkaTopics(settings(), counts, admins)) {
      topics.ping();
      made.getFirst().close();

      assertThatThrownBy(topics::ping).isInstanceOf(BusAwayException.class);
      topics.ping();
      made.getLast().close();
      assertThatThrownBy(() -> topics.require(Set.of(kind))).isInstanceOf(BusAwayException.class);
      assertThat(topics.require(Set.of(kind))).isEmpty();
    }
    assertThat(made).hasSize(3);
  }
}
