package dev.tuntas.bench.chaos;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import tools.jackson.databind.json.JsonMapper;

/// Orders' events as somebody hears them who reads everything that the broker has.
///
/// @param heard how many different ones
/// @param missing those that the book takes for published and that are not there
record BrokerLog(int heard, int missing) {

  static final BrokerLog NONE = new BrokerLog(0, 0);

  private static final String TOPICS = "order.";
  private static final Duration POLL = Duration.ofMillis(500);
  private static final String PUBLISHED =
      "select id from bus_message where status = 'PUBLISHED' and kind like 'order.%'";

  static BrokerLog ofKafka(String servers, String database) throws SQLException {
    return of(heard(servers), database);
  }

  static BrokerLog ofRabbit(String url, String database) throws SQLException {
    return of(RabbitLog.heard(url), database);
  }

  private static BrokerLog of(Set<String> heard, String database) throws SQLException {
    var missing = published(database);
    missing.removeAll(heard);
    return new BrokerLog(heard.size(), missing.size());
  }

  private static Set<String> heard(String servers) {
    var ids = new HashSet<String>();
    var access =
        Map.<String, Object>of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
            servers,
            ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
            false);
    try (var consumer =
        new KafkaConsumer<>(access, new StringDeserializer(), new StringDeserializer())) {
      var all = new ArrayList<TopicPartition>();
      consumer
          .listTopics()
          .forEach(
              (topic, partitions) -> {
                if (!topic.startsWith(TOPICS) || topic.endsWith(".dlq")) return;
                partitions.forEach(it -> all.add(new TopicPartition(topic, it.partition())));
              });
      consumer.assign(all);
      consumer.seekToBeginning(all);
      var ends = consumer.endOffsets(all);
      while (all.stream().anyMatch(it -> consumer.position(it) < ends.getOrDefault(it, 0L))) {
        for (var record : consumer.poll(POLL)) {
          ids.add(JsonMapper.shared().readTree(record.value()).path("id").asString());
        }
      }
    }
    return ids;
  }

  private static Set<String> published(String database) throws SQLException {
    try (var connection = DriverManager.getConnection(database);
        var statement = connection.createStatement();
        var rows = statement.executeQuery(PUBLISHED)) {
      var ids = new HashSet<String>();
      while (rows.next()) ids.add(rows.getString(1));
      return ids;
    }
  }
}
