package dev.tuntas.server.bus;

import static dev.tuntas.server.orders.Orders.checkout;
import static dev.tuntas.server.orders.Orders.id;
import static dev.tuntas.server.orders.Orders.newKey;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.adapters.bus.RabbitAccess;
import dev.tuntas.adapters.bus.RabbitBus;
import dev.tuntas.bus.Attempts.Patience;
import dev.tuntas.bus.Bus;
import dev.tuntas.bus.BusAwayException;
import dev.tuntas.bus.BusWatch;
import dev.tuntas.bus.CloudEvent;
import dev.tuntas.bus.Message;
import dev.tuntas.bus.Subscription;
import dev.tuntas.bus.UnsentException;
import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import dev.tuntas.server.orders.Orders;
import dev.tuntas.testservers.Loopback;
import dev.tuntas.testservers.TestQpid;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A server with a broker, whose inventory is driven by messages.
class BusIT {

  private static final Queue<CloudEvent> EVENTS = new ConcurrentLinkedQueue<>();

  @TempDir static Path folder;
  private static int port;
  private static TestQpid broker;
  private static TestServer server;
  private static Bus world;
  private static Orders orders;
  private static Client admin;

  @BeforeAll
  static void start() throws Exception {
    port = Loopback.freePort();
    broker = TestQpid.start(folder, port);
    var access = RabbitAccess.of(broker.url(), "ecommerce.events");
    world = new RabbitBus(access, Patience.standard(), BusWatch.NONE, InstantSource.system());
    server =
        TestServer.start(
            folder.resolve("data"),
            "--tuntas.rabbitmq.url=" + broker.url(),
            "--tuntas.inventory.driven-by=messages",
            "--tuntas.checkout.order=reserve-first",
            "--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY,
            "--tuntas.credentials.admin-key=" + TestServer.ADMIN_KEY);
    orders = new Orders(new Client(server, TestServer.CLIENT_KEY));
    admin = new Client(server, TestServer.ADMIN_KEY);
  }

  @AfterAll
  static void stop() {
    if (server != null) server.stop();
    if (world != null) world.close();
    if (broker != null) broker.close();
  }

  /// Only for as long as a test needs it: an answer that the world hears has been sent, and is not
  /// sent again at once if a broker that forgot its queues has none yet for those who wait for it.
  private static Subscription world() {
    return world.listen(
        "world",
        Set.of("order.accepted", "order.confirmed", "order.failed", "ORDER_CREATED", "RESERVED"),
        message -> EVENTS.add(CloudEvent.read(message)));
  }

  private static List<CloudEvent> of(String orderId) {
    return EVENTS.stream().filter(it -> it.subject().equals(orderId)).toList();
  }

  private static boolean heard(String orderId, String type) {
    return of(orderId).stream().anyMatch(it -> it.type().equals(type));
  }

  @Test
  void an_order_is_reserved_over_the_bus_and_the_world_hears_of_it_in_order() throws Exception {
    String id;
    try (var _ = world()) {
      var answer = orders.placeAndWait(checkout("pm_ok", "SKU-1", 1));
      assertThat(answer.status()).isEqualTo(201);
      id = id(answer);
      until(
          () ->
              heard(id, "order.confirmed") && heard(id, "RESERVED") && heard(id, "ORDER_CREATED"));
    }

    var said = of(id).stream().filter(it -> it.type().startsWith("order.")).toList();
    assertThat(said)
        .extracting(CloudEvent::type)
        .containsExactly("order.accepted", "order.confirmed");
    assertThat(said).extracting(CloudEvent::sequence).isSorted().doesNotHaveDuplicates();
    assertThat(said.getLast().data().path("order_id").asString()).isEqualTo(id);
    assertThat(admin.get("/actuator/prometheus").body())
        .contains(
            "bus_published_total",
            "bus_consumed_total",
            "bus_outbox_waiting",
            "bus_topics_missing 0");
  }

  private static final String LETTERS = "/api/v1/admin/dead-letters";

  private static JsonNode deadLetters(String orderId) {
    return admin.get(LETTERS + "?queue=broker&order_id=" + orderId).json().path("items");
  }

  @Test
  void what_a_consumer_gave_up_on_is_listed_counted_replayed_and_discarded() throws Exception {
    var poison = Message.command("poison-1", "RELEASE", "ord_poison", "no CloudEvent");
    until(
        () -> {
          try {
            world.send(List.of(poison));
            return true;
          } catch (BusAwayException | UnsentException _) {
            return false; // another test has stopped the broker
          }
        });
    until(() -> deadLetters("ord_poison").size() == 1);
    var letter = deadLetters("ord_poison").path(0);
    assertThat(letter.path("what").asString()).isEqualTo("RELEASE poison-1 for tuntas-inventory");
    assertThat(admin.get("/actuator/prometheus").body())
        .containsPattern("dead_letters\\{queue=\"broker\"[^\n]* 1");

    var first = letter.path("id").asString();
    var client = new Client(server, TestServer.CLIENT_KEY);
    assertThat(client.post(LETTERS + "/" + first + "/replay", "").status()).isEqualTo(403);
    assertThat(admin.post(LETTERS + "/" + first + "/replay", "").status()).isEqualTo(200);
    assertThat(admin.post(LETTERS + "/" + first + "/replay", "").status()).isEqualTo(404);
    // It is poison still, and comes back by the same way.
    until(() -> deadLetters("ord_poison").size() == 1);
    var second = deadLetters("ord_poison").path(0);
    assertThat(second.path("what")).isEqualTo(letter.path("what"));

    var discard = LETTERS + "/" + second.path("id").asString() + "/discard";
    assertThat(admin.post(discard, "{}").status()).isEqualTo(422);
    assertThat(admin.post(discard, "{\"reason\":\"no CloudEvent\"}").status()).isEqualTo(200);
    assertThat(deadLetters("ord_poison").size()).isZero();
    assertThat(admin.get("/api/v1/admin/audit?limit=100").body())
        .contains(second.path("id").asString());
  }

  @Test
  void while_the_broker_is_away_orders_are_accepted_and_afterwards_they_are_finished()
      throws Exception {
    broker.close();
    var accepted = orders.place(checkout("pm_ok", "SKU-1", 2), newKey());
    assertThat(accepted.status()).isEqualTo(202);
    assertThat(new Client(server, "").get("/actuator/health/readiness").status()).isEqualTo(200);
    assertThat(new Client(server, "").get("/actuator/health").status()).isEqualTo(200);

    broker = TestQpid.start(folder, port);
    var id = id(accepted);
    until(() -> orders.status(id).equals("CONFIRMED"));
  }
}
