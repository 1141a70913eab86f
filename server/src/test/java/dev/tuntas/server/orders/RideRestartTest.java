package dev.tuntas.server.orders;

import static dev.tuntas.server.orders.Orders.newKey;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How many wait where is known after a restart as it was before.
class RideRestartTest {

  private static final String CLIENT_KEY = "restart-client-key-0123456789";
  private static final String ADMIN_KEY = "restart-admin-key-0123456789";

  @TempDir static Path data;

  private static TestServer start(String... more) {
    var settings = new ArrayList<>(List.of(more));
    settings.add("--tuntas.credentials.client-key=" + CLIENT_KEY);
    settings.add("--tuntas.credentials.admin-key=" + ADMIN_KEY);
    settings.add("--tuntas.credentials.service-key=restart-service-key-0123456789");
    return TestServer.start(data, settings.toArray(String[]::new));
  }

  private static String ride(String loyalty) {
    return """
    {"kind":"ride","customer_id":"USR-1","service_type":"RIDE","loyalty_level":"%s",
     "pickup_location":{"latitude":-6.2088,"longitude":106.8456},
     "dropoff_location":{"latitude":-6.1256,"longitude":106.6559},
     "payment":{"status":"UNPAID","amount":1000,"currency":"IDR"}}\
    """
        .formatted(loyalty);
  }

  private static Map<String, Long> waiting(TestServer server) {
    var counts = new TreeMap<String, Long>();
    new Client(server, ADMIN_KEY)
        .get("/api/v1/admin/dispatcher/areas/status")
        .json()
        .path("areas")
        .forEach(
            it ->
                counts.put(
                    it.path("area_id").asString() + " " + it.path("service_type").asString(),
                    it.path("waiting_count").asLong()));
    return counts;
  }

  @Test
  void the_counts_are_the_same_after_a_restart() throws Exception {
    var server = start();
    Map<String, Long> before;
    try {
      new Client(server, ADMIN_KEY).send("PUT", "/sim/bbd", "{\"driver_rate\":0}");
      var orders = new Orders(new Client(server, CLIENT_KEY));
      var answers = new ArrayList<Answer>();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var calls = new ArrayList<Callable<Answer>>();
        for (int i = 0; i < 500; i++) {
          var loyalty = i % 5 == 0 ? "VOYAGER" : "EXPLORER";
          calls.add(() -> orders.place(ride(loyalty), newKey()));
        }
        for (var answer : threads.invokeAll(calls)) answers.add(answer.get());
      }
      long accepted = answers.stream().filter(it -> it.status() == 202).count();
      before = waiting(server);
      assertThat(accepted).isBetween(100L, 120L);
      assertThat(before.values().stream().mapToLong(it -> it).sum()).isEqualTo(accepted);
    } finally {
      server.stop();
    }
    // Without a partner nobody finds a driver before they are counted.
    var again = start("--tuntas.partners.bbd.url=http://127.0.0.1:1");
    try {
      assertThat(waiting(again)).isEqualTo(before);
    } finally {
      again.stop();
    }
  }
}
