package dev.tuntas.server.observe;

import static dev.tuntas.server.TestServer.ADMIN_KEY;
import static dev.tuntas.server.TestServer.CLIENT_KEY;
import static dev.tuntas.server.orders.Orders.checkout;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import dev.tuntas.server.ServerProgram;
import dev.tuntas.server.orders.Orders;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server whose output nobody reads. At the level `debug` it soon fills the pipe, which takes 64
/// KB, and all that it keeps itself.
@Timeout(300)
class UnreadOutputIT {

  @TempDir Path data;

  private String address = "";

  @Test
  void it_goes_on_and_says_what_is_missing_and_ends_when_told() throws Exception {
    int port = freePort();
    address = "http://127.0.0.1:" + port;
    var process =
        ServerProgram.process(
                data,
                Map.of("TUNTAS_CLIENT_KEY", CLIENT_KEY, "TUNTAS_ADMIN_KEY", ADMIN_KEY),
                "--port=" + port,
                "--logging.level.root=debug")
            .start();
    try (var out = process.inputReader()) {
      until(this::isUp);
      until(this::drops);
      place(20);
      assertThat(isUp()).isTrue();

      var said = out.lines().filter(line -> line.contains(" lines for stdout were dropped"));
      assertThat(said.findFirst()).isPresent();

      place(40); // the pipe is full again
      process.toHandle().destroy(); // the method of the process would close the pipe
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
  }

  private static int freePort() throws Exception {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private boolean isUp() {
    try {
      return new Client(address, "").get("/actuator/health/readiness").status() == 200;
    } catch (IllegalStateException _) {
      return false; // nobody listens yet
    }
  }

  private void place(int orders) {
    var client = new Orders(new Client(address, CLIENT_KEY));
    for (int i = 0; i < orders; i++) {
      assertThat(client.placeAndWait(checkout("pm_ok", "SKU-1", 1)).status()).isEqualTo(201);
    }
  }

  private boolean drops() {
    place(20);
    var scrape = new Client(address, ADMIN_KEY).get("/actuator/prometheus").body();
    return Exposition.read(scrape).value("log_lines_dropped_total") > 0;
  }
}
