package dev.tuntas.server.settings;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// RabbitMQ as the message bus; none without a URL.
public record RabbitSettings(
    @Nullable URI url, @DefaultValue("ecommerce.events") String exchangeName) {

  public RabbitSettings {
    if (url != null) Limits.url("rabbitmq.url", url, List.of("amqp", "amqps"));
  }

  /// Without the password in the URL.
  @Override
  public String toString() {
    return "RabbitSettings[exchangeName=" + exchangeName + "]";
  }
}
