package dev.tuntas.adapters.bus;

import dev.tuntas.testservers.Loopback;
import dev.tuntas.testservers.TestQpid;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// The contract on Apache Qpid.
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

  @Override
  void stopBroker() {
    broker.close();
  }

  @Override
  void startBroker() throws Exception {
    broker = TestQpid.start(folder, port);
  }
}
