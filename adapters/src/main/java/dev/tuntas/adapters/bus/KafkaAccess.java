package dev.tuntas.adapters.bus;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;

/// How to reach Kafka, and for how long it is waited for.
///
/// @param servers `host:port`, several with commas between
/// @param partitions of topics that do not exist yet
/// @param patience after so long a message counts as not confirmed
public record KafkaAccess(String servers, int partitions, Duration patience) {

  public KafkaAccess {
    if (servers.isBlank()) throw new IllegalArgumentException("no Kafka server is named");
    if (partitions < 1) throw new IllegalArgumentException("a topic has at least one partition");
    if (patience.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("Kafka is given at least a second to answer");
    }
  }

  /// Six partitions, eight seconds.
  public static KafkaAccess of(String servers) {
    return new KafkaAccess(servers, 6, Duration.ofSeconds(8));
  }

  private int millis() {
    return Math.toIntExact(patience.toMillis());
  }

  /// Nothing is confirmed before every replica that is in step has it, and nothing comes twice or
  /// out of order because the client itself tried again.
  Map<String, Object> producer() {
    var config = common();
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis() / 2);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis() / 2);
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis());
    return config;
  }

  Map<String, Object> consumer(String group) {
    var config = common();
    config.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, 6_000);
    config.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 1_500);
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 500);
    config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 200);
    config.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        "org.apache.kafka.clients.consumer.CooperativeStickyAssignor");
    config.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 10_000);
    return config;
  }

  Map<String, Object> admin() {
    var config = common();
    config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis() / 2);
    config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis());
    return config;
  }

  private Map<String, Object> common() {
    var config = new HashMap<String, Object>();
    config.put("bootstrap.servers", servers);
    config.put("reconnect.backoff.ms", 50);
    config.put("reconnect.backoff.max.ms", 1_000);
    return config;
  }
}
