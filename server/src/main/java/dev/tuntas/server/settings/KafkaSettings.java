package dev.tuntas.server.settings;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Kafka as the message bus; none without servers.
///
/// @param partitions of topics that do not exist yet
public record KafkaSettings(@Nullable String bootstrapServers, @DefaultValue("6") int partitions) {

  public KafkaSettings {
    if (bootstrapServers != null && bootstrapServers.isBlank()) bootstrapServers = null;
    if (bootstrapServers != null && !bootstrapServers.matches("[^\\s,]+:\\d+(,[^\\s,]+:\\d+)*")) {
      throw new IllegalArgumentException(
          "kafka.bootstrap-servers must be host:port, several with commas between");
    }
    Limits.between("kafka.partitions", partitions, 1, 1_000);
  }
}
