package dev.tuntas.adapters.bus;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// The contract on the RabbitMQ that `-Dtuntas.test.rabbitmq=amqp://...` names, or else on the one
/// that is installed here.
class RabbitBusIT extends AmqpContract {

  @TempDir static Path folder;
  private static @Nullable TestRabbit own;
  private static URI url;

  @BeforeAll
  static void start() throws Exception {
    var named = System.getProperty("tuntas.test.rabbitmq");
    if (named != null) {
      url = URI.create(named);
      return;
    }
    own = TestRabbit.start(folder).orElse(null);
    Assumptions.assumeTrue(
        own != null, "RabbitMQ is not installed here (Debian: rabbitmq-server); see QpidBusIT");
    url = own.url();
  }

  @AfterAll
  static void stop() throws Exception {
    if (own != null) own.close();
  }

  @Override
  URI url() {
    return url;
  }
}
