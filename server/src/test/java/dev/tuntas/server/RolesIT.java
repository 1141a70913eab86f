package dev.tuntas.server;

import static dev.tuntas.server.orders.Orders.booking;
import static dev.tuntas.server.orders.Orders.checkout;
import static dev.tuntas.server.orders.Orders.id;
import static dev.tuntas.server.orders.Orders.newKey;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.engine.Engine;
import dev.tuntas.server.orders.Orders;
import dev.tuntas.testservers.Loopback;
import dev.tuntas.testservers.TestPostgres;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One process that only accepts, some that only run orders, and one with the services, on one
/// PostgreSQL.
class RolesIT {

  private static final String RIDE =
      """
      {"kind":"ride","customer_id":"USR-1","service_type":"RIDE","loyalty_level":"EXPLORER",
       "pickup_location":{"latitude":-6.2088,"longitude":106.8456},
       "dropoff_location":{"latitude":-6.1256,"longitude":106.6559},
       "payment":{"status":"PAID","amount":1000,"currency":"IDR"}}\
      """;

  @TempDir static Path folder;
  private static final List<TestServer> started = new ArrayList<>();
  private static String database;
  private static TestServer services;
  private static TestServer web;
  private static Orders orders;

  @BeforeAll
  static void start() throws Exception {
    database = TestPostgres.newDatabase();
    int port = Loopback.freePort();
    services =
        start(
            "services",
            "inventory,payment,cart,simulator",
            "--tuntas.partners.bbd.callback-url=http://127.0.0.1:"
                + port
                + "/api/v1/callbacks/bbd");
    // Quick, but a driver is found when another process runs the ride.
    var quick =
        """
        {"callback_rate":1,"callback_delay_ms":[10,20],"assign_delay_ms":[10,20],
         "search_ms":[5000,6000],"pick_up_ms":[10,20],"trip_ms":[10,20]}\
        """;
    var partner = new Client(services, TestServer.ADMIN_KEY).send("PUT", "/sim/bbd", quick);
    assertThat(partner.status()).isEqualTo(200);
    web = startOrders("web", "web", "--tuntas.port=" + port);
    orders = new Orders(new Client(web, TestServer.CLIENT_KEY));
  }

  private static TestServer startOrders(String name, String role, String... more) {
    var words = new ArrayList<>(List.of(more));
    for (var service : List.of("inventory", "payment", "cart")) {
      words.add("--tuntas.partners." + service + ".url=" + services.url(""));
    }
    words.add("--tuntas.partners.bbd.url=" + services.url("/partner/bbd"));
    return start(name, role, words.toArray(String[]::new));
  }

  private static TestServer start(String name, String roles, String... more) {
    var words = new ArrayList<>(List.of(more));
    words.add("--tuntas.roles=" + roles);
    words.add("--tuntas.database.url=" + database);
    words.add("--tuntas.credentials.client-key=" + TestServer.CLIENT_KEY);
    words.add("--tuntas.credentials.admin-key=" + TestServer.ADMIN_KEY);
    words.add("--tuntas.credentials.service-key=" + TestServer.SERVICE_KEY);
    words.add("--tuntas.partners.bbd.credential=" + TestServer.PARTNER_KEY);
    var server = TestServer.start(folder.resolve(name), words.toArray(String[]::new));
    started.add(server);
    return server;
  }

  @AfterAll
  static void stop() {
    started.reversed().forEach(TestServer::stop);
  }

  @Test
  void what_the_front_accepts_is_run_by_whoever_comes() throws Exception {
    var placed = new ArrayList<String>();
    for (var body : List.of(checkout("pm_ok", "SKU-1", 1), RIDE)) {
      var answer = orders.place(body, newKey());
      assertThat(answer.status()).as(answer.body()).isEqualTo(202);
      placed.add(id(answer));
    }
    var waited = orders.place(booking("pm_ok", 40, 2), newKey(), "Prefer", "wait=1");
    assertThat(waited.status()).isEqualTo(202);
    placed.add(id(waited));
    assertThat(web.bean(Engine.class).running()).isZero();
    // What the alert NobodyRunsOrders looks at, told by a front alone.
    until(() -> told("saga_queue_depth") >= placed.size());
    assertThat(told("sagas_running")).isZero();

    var worker = startOrders("worker", "worker");
    until(() -> orders.status(placed.get(0)).equals("CONFIRMED"));
    until(() -> orders.status(placed.get(2)).equals("CONFIRMED"));
    until(() -> orders.show(placed.get(1)).json().path("job_id").isString());
    assertThat(orders.placeAndWait(checkout("pm_declined", "SKU-1", 1)).status()).isEqualTo(402);

    var another = startOrders("another", "worker");
    worker.stop();
    started.remove(worker);
    var last = orders.placeAndWait(checkout("pm_lost_reply", "SKU-1", 1));
    assertThat(last.status()).isEqualTo(201);
    until(() -> orders.status(placed.get(1)).equals("COMPLETED"));
    assertThat(another.bean(Engine.class).unknown()).isEmpty();
    assertThat(worksOnly(another)).isTrue();
  }

  private static double told(String metric) {
    return new Client(web, TestServer.ADMIN_KEY)
        .get("/actuator/prometheus")
        .body()
        .lines()
        .filter(line -> line.startsWith(metric + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(metric.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  /// Its health and figures can be seen, and nothing else.
  private static boolean worksOnly(TestServer server) {
    var admin = new Client(server, TestServer.ADMIN_KEY);
    return admin.get("/actuator/health").status() == 200
        && admin.get("/actuator/prometheus").status() == 200
        && admin.get("/api/v1/orders/ord_x").status() == 404
        && new Orders(admin).place(checkout("pm_ok", "SKU-1", 1), newKey()).status() == 404;
  }

  /// Only a ride is; see above. The front does not know the bank's methods, but it knows this one.
  @Test
  void goods_are_not_paid_from_outside() {
    for (var method : List.of("outside", "OUTSIDE")) {
      for (var body : List.of(checkout(method, "SKU-1", 1), booking(method, 50, 1))) {
        var answer = orders.place(body, newKey());
        assertThat(answer.status()).as(answer.body()).isEqualTo(422);
        assertThat(answer.body()).contains("/payment_method", "payment_method_invalid");
      }
    }
  }

  @Test
  void a_process_with_services_alone_has_no_orders() {
    assertThat(services.context().getBeanNamesForType(Engine.class)).isEmpty();
    assertThat(worksOnly(services)).isTrue();
  }
}
