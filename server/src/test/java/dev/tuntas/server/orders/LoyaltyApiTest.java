package dev.tuntas.server.orders;

import static dev.tuntas.server.orders.Orders.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whose word about a customer's loyalty counts, at a busy area, with a loyalty service that knows
/// one user.
class LoyaltyApiTest {

  private static final String SERVICE_USER = "USR-LOYAL";
  private static final String SERVER_KEY = "a-key-for-loyalty-tests-0123456789";

  @TempDir private static Path data;
  private static HttpServer loyalty;
  private static TestServer server;
  private static Client trusted;
  private static Client untrusted;

  @BeforeAll
  static void aFullArea() throws Exception {
    loyalty = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    loyalty.createContext("/api/loyalty", LoyaltyApiTest::level);
    loyalty.start();
    server =
        TestServer.start(
            data,
            "--tuntas.credentials.admin-key=" + SERVER_KEY,
            "--tuntas.partners.loyalty.url=http://127.0.0.1:" + loyalty.getAddress().getPort());
    var admin = new Client(server, SERVER_KEY);
    trusted = admin.with(key(admin, true));
    untrusted = admin.with(key(admin, false));
    var rules = "{\"service_type\":\"RIDE\",\"max_waiting_orders\":10}";
    admin.send("PUT", "/api/v1/admin/dispatcher/areas/BANDUNG/threshold", rules);
    admin.send("PUT", "/sim/bbd", "{\"driver_rate\":0}");
    for (int i = 0; i < 10; i++) {
      assertThat(order(trusted, "USR-" + i, "EXPLORER").status()).isEqualTo(202);
    }
    // It is left alone for a second if its first answer is slow. What it said is good for a minute.
    until(() -> check(untrusted, SERVICE_USER, "EXPLORER").body().contains("LOYALTY_ELITE"));
  }

  @AfterAll
  static void stop() {
    server.stop();
    loyalty.stop(0);
  }

  private static void level(HttpExchange asked) throws IOException {
    boolean knows = asked.getRequestURI().getQuery().equals("user_id=" + SERVICE_USER);
    var body = "{\"level\":\"ELITE\"}".getBytes(UTF_8);
    asked.sendResponseHeaders(knows ? 200 : 404, knows ? body.length : -1);
    if (knows) asked.getResponseBody().write(body);
    asked.close();
  }

  private static String key(Client admin, boolean trusted) {
    var body = "{\"client\":\"x\",\"roles\":[\"client\"],\"trusted\":" + trusted + "}";
    return admin.post("/api/v1/admin/keys", body).json().get("key").stringValue();
  }

  private static Answer check(Client client, String user, String claimed) {
    var body =
        """
        {"user_id":"%s","loyalty_level":"%s","service_type":"RIDE","channel":"MYBB",
         "pickup_location":{"latitude":-6.9,"longitude":107.6}}\
        """;
    return client.post("/api/v1/dispatcher/availability-check", body.formatted(user, claimed));
  }

  private static Answer order(Client client, String customer, String claimed) {
    var body =
        """
        {"kind":"ride","customer_id":"%s","loyalty_level":"%s","service_type":"RIDE",
         "pickup_location":{"latitude":-6.9,"longitude":107.6},
         "dropoff_location":{"latitude":-6.95,"longitude":107.61},
         "payment":{"status":"UNPAID","amount":1000,"currency":"IDR"}}\
        """;
    return new Orders(client).place(body.formatted(customer, claimed), Orders.newKey());
  }

  @Test
  void a_trusted_key_is_believed() {
    var answer = check(trusted, "USR-1", "ELITE");
    assertThat(answer.json().path("bypass_reason").asString()).isEqualTo("LOYALTY_ELITE");
    assertThat(check(trusted, SERVICE_USER, "EXPLORER").status()).isEqualTo(503);
  }

  @Test
  void of_an_untrusted_key_the_loyalty_service_is_believed() {
    assertThat(check(untrusted, "USR-1", "ELITE").status()).isEqualTo(503);
    var answer = check(untrusted, SERVICE_USER, "EXPLORER");
    assertThat(answer.json().path("bypass_reason").asString()).isEqualTo("LOYALTY_ELITE");
    assertThat(order(untrusted, "USR-1", "ELITE").status()).isEqualTo(503);
  }

  @Test
  void an_untrusted_check_of_nobody_in_particular_has_no_bypass() {
    var body =
        """
        {"loyalty_level":"ELITE","service_type":"RIDE","channel":"MYBB",
         "pickup_location":{"latitude":-6.9,"longitude":107.6}}\
        """;
    assertThat(untrusted.post("/api/v1/dispatcher/availability-check", body).status())
        .isEqualTo(503);
  }

  @Test
  void an_order_keeps_the_level_that_was_found_out() {
    var answer = order(untrusted, SERVICE_USER, "TRAVELER");
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    var orders = new Orders(untrusted);
    var id = Orders.id(answer);
    assertThat(orders.show(id).json().path("loyalty_level").asString()).isEqualTo("ELITE");
    orders.cancel(id);
  }
}
