package dev.tuntas.adapters.bus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tuntas.bus.BusAwayException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The contract on Apache Qpid, which is stopped once.
class QpidBusIT extends AmqpContract {

  @TempDir static Path folder;
  private static int port;
  private static TestQpid broker;

  @BeforeAll
  static void start() throws Exception {
    port = Loopback.freePort();
    broker = TestQpid.start(folder, port);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Override
  URI url() {
    return broker.url();
  }

  @Test
  void after_a_lost_connection_all_consumers_register_again() throws Exception {
    var heard = new LinkedBlockingQueue<String>();
    bus.listen(queue, Set.of(kind), message -> heard.add(message.id()));
    bus.listen(queue + "-other", Set.of(kind), message -> heard.add(message.id()));
    bus.send(some(1, "before"));
    for (int i = 0; i < 2; i++) assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("before/0");

    broker.close();
    assertThatThrownBy(() -> bus.send(some(1, "meanwhile"))).isInstanceOf(BusAwayException.class);
    broker = TestQpid.start(folder, port);

    // Both are there again when both hear one and the same message.
    int both = 0;
    for (int i = 0; both < 2; i++) {
      var id = "after-" + i;
      try {
        bus.send(some(1, id));
      } catch (BusAwayException _) {
        continue;
      }
      both = 0;
      while (both < 2) {
        var next = heard.poll(1, TimeUnit.SECONDS);
        if (next == null) break;
        if (next.equals(id + "/0")) both++;
      }
    }
    assertThat(both).isEqualTo(2);
  }
}
