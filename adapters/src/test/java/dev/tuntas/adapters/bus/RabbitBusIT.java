package dev.tuntas.adapters.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.testservers.TestRabbit;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
        own != null,
        "No rabbitmq-server is installed here and -Dtuntas.test.rabbitmq names none, so that Qpid"
            + " alone stands for AMQP (QpidBusIT).");
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

  @Override
  void stopBroker() throws Exception {
    Assumptions.assumeTrue(own != null, "A RabbitMQ that was named belongs to somebody else.");
    own.stop();
  }

  @Override
  void startBroker() throws Exception {
    own.begin();
  }

  @Test
  void one_subscription_of_a_queue_is_active_and_the_next_one_takes_over() throws Exception {
    var first = new LinkedBlockingQueue<String>();
    var second = new LinkedBlockingQueue<String>();
    var active = bus.listen(queue, Set.of(kind), message -> first.add(message.id()));
    bus.listen(queue, Set.of(kind), message -> second.add(message.id()));
    bus.send(some(20, "a"));
    var heard = new ArrayList<String>();
    for (int i = 0; i < 20; i++) heard.add(first.poll(30, TimeUnit.SECONDS));
    assertThat(heard).isEqualTo(ids(some(20, "a")));
    assertThat(second).isEmpty();

    active.close();
    bus.send(some(1, "b"));
    assertThat(second.poll(30, TimeUnit.SECONDS)).isEqualTo("b/0");
  }

  /// Somebody else declares what is needed, and a user who may not do so uses it.
  @Test
  void who_may_declare_nothing_uses_what_is_there() throws Exception {
    Assumptions.assumeTrue(own != null, "A RabbitMQ that was named belongs to somebody else.");
    bus.listen(queue, Set.of(kind), _ -> {}).close();
    own.control("add_user", kind, "secret");
    own.control("set_permissions", "-p", "/", kind, "^$", ".*", ".*");
    var narrow =
        new RabbitAccess(
            URI.create(url.toString().replace("guest:guest", kind + ":secret")),
            EXCHANGE,
            10,
            Duration.ofSeconds(30));
    var heard = new LinkedBlockingQueue<String>();
    try (var limited = new RabbitBus(narrow, QUICK, counts, InstantSource.system())) {
      limited.prepare(Set.of(kind));
      limited.listen(queue, Set.of(kind), message -> heard.add(message.id()));
      limited.send(some(1, "a"));
      assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("a/0");
    }
  }

  @Test
  @Timeout(180)
  void what_waits_in_a_queue_outlives_the_broker() throws Exception {
    bus.listen(queue, Set.of(kind), _ -> {}).close();
    bus.send(some(3, "a"));

    stopBroker();
    startBroker();

    var heard = new LinkedBlockingQueue<String>();
    bus.listen(queue, Set.of(kind), message -> heard.add(message.id()));
    for (var id : ids(some(3, "a"))) assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(id);
  }
}
