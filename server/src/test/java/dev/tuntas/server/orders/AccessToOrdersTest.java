package dev.tuntas.server.orders;

import static dev.tuntas.server.orders.Orders.id;
import static dev.tuntas.server.orders.Orders.newKey;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import dev.tuntas.server.access.Keys;
import dev.tuntas.server.access.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Who may change an order, and who gets the link that lets anybody change it.
class AccessToOrdersTest {

  private static final String RIDE =
      """
      {"kind":"ride","customer_id":"USR-9","service_type":"RIDE",
       "pickup_location":{"latitude":-6.2088,"longitude":106.8456},
       "dropoff_location":{"latitude":-6.1256,"longitude":106.6559},
       "payment":{"status":"UNPAID","amount":150000,"currency":"IDR"}}\
      """;

  private final Orders owner = Orders.ofClient();

  @BeforeEach
  void nobodyDrives() {
    Client.admin().send("PUT", "/sim/bbd", "{\"driver_rate\":0}");
  }

  @AfterEach
  void usualPartner() {
    Client.admin().send("PUT", "/sim/bbd", "{\"reset\":true}");
  }

  /// A ride of the usual client.
  private String ride() {
    var answer = owner.place(RIDE, newKey());
    assertThat(answer.status()).as(answer.body()).isEqualTo(202);
    return id(answer);
  }

  private static Client holder(String client, Role... roles) {
    return Client.nobody().with(Keys.make(client, roles));
  }

  private static Answer pay(Client client, String order) {
    return client.send("PUT", Orders.PATH + "/" + order + "/payment", "{\"status\":\"PAID\"}");
  }

  private static Answer show(Client client, String order) {
    return client.get(Orders.PATH + "/" + order);
  }

  private static boolean hasPage(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isBetween(200, 202);
    assertThat(answer.json().at("/links/self").asString()).isNotEmpty();
    return answer.json().at("/links").has("page");
  }

  /// Who did what to an order, newest first.
  private static List<String> audited(String order) {
    var found = new ArrayList<String>();
    for (var cursor = ""; cursor != null; ) {
      var page = Client.admin().get("/api/v1/admin/audit?limit=100" + cursor).json();
      for (var entry : page.get("items")) {
        if (!entry.get("subject").asString("").equals(order)) continue;
        found.add(entry.get("actor").stringValue() + " " + entry.get("action").stringValue());
      }
      var next = page.get("next_cursor");
      cursor = next.isNull() ? null : "&cursor=" + next.stringValue();
    }
    return found;
  }

  @Test
  void the_page_is_for_the_owner_and_for_support() {
    var order = ride();
    assertThat(hasPage(owner.show(order))).isTrue();
    assertThat(hasPage(show(holder("desk", Role.SUPPORT), order))).isTrue();
    assertThat(hasPage(show(Client.admin(), order))).isTrue();

    for (var reader :
        List.of(
            holder("curious", Role.VIEWER),
            holder("streets", Role.DISPATCHER),
            holder("other", Role.CLIENT, Role.VIEWER),
            holder("default", Role.VIEWER))) {
      assertThat(hasPage(show(reader, order))).isFalse();
    }
    owner.cancel(order);
  }

  @Test
  void who_only_reads_is_told_no_page_by_the_events_either() throws Exception {
    var order = ride();
    owner.cancel(order);
    until(() -> owner.status(order).equals("CANCELLED_BY_USER"));

    var path = Orders.PATH + "/" + order + "/events";
    assertThat(Client.client().get(path).body()).contains("\"page\":\"/o/" + order);
    assertThat(holder("curious", Role.VIEWER).get(path).body())
        .contains("event: order", "\"self\"")
        .doesNotContain("\"page\"", "/o/");
  }

  @Test
  void a_viewer_changes_nothing() {
    var order = ride();
    var viewer = holder("curious", Role.VIEWER);
    assertThat(new Orders(viewer).cancel(order).status()).isEqualTo(403);
    assertThat(pay(viewer, order).status()).isEqualTo(403);
    assertThat(owner.show(order).json().path("payment_status").asString()).isEqualTo("UNPAID");
    assertThat(owner.status(order)).doesNotStartWith("CANCELLED");
    owner.cancel(order);
  }

  @Test
  void a_client_that_reads_everything_changes_its_own_only() throws Exception {
    var other = holder("other", Role.CLIENT, Role.VIEWER);
    var foreign = ride();
    assertThat(new Orders(other).cancel(foreign).status()).isEqualTo(404);
    assertThat(pay(other, foreign).status()).isEqualTo(404);
    assertThat(owner.show(foreign).json().path("payment_status").asString()).isEqualTo("UNPAID");
    assertThat(owner.status(foreign)).doesNotStartWith("CANCELLED");
    owner.cancel(foreign);

    var own = id(new Orders(other).place(RIDE, newKey()));
    assertThat(hasPage(show(other, own))).isTrue();
    assertThat(hasPage(pay(other, own))).isTrue();
    assertThat(new Orders(other).cancel(own).status()).isIn(200, 202);
    until(() -> new Orders(other).status(own).equals("CANCELLED_BY_USER"));
    assertThat(audited(own)).isEmpty();
  }

  @Test
  void roles_that_do_not_open_a_route_do_not_help_there() {
    var foreign = ride();
    // It may cancel as support, but support tells nobody's payments.
    var both = holder("other", Role.CLIENT, Role.SUPPORT);
    assertThat(pay(both, foreign).status()).isEqualTo(404);
    // It may tell payments as a service, but a service cancels nothing.
    var service = holder("other", Role.CLIENT, Role.SERVICE);
    assertThat(new Orders(service).cancel(foreign).status()).isEqualTo(404);
    assertThat(new Orders(holder("other", Role.CLIENT, Role.DISPATCHER)).cancel(foreign).status())
        .isEqualTo(404);
    owner.cancel(foreign);
  }

  @Test
  void what_others_than_the_owner_change_is_audited() {
    var order = ride();
    var told = pay(holder("till", Role.SERVICE), order);
    assertThat(hasPage(told)).isFalse();
    var desk = holder("desk", Role.CLIENT, Role.SUPPORT);
    assertThat(new Orders(desk).cancel(order).status()).isIn(200, 202);
    assertThat(audited(order)).containsExactly("desk order.cancel", "till order.payment");
  }

  @Test
  void a_cancellation_on_the_page_is_audited() {
    var order = ride();
    var page = owner.show(order).json().at("/links/page").asString();
    var form = Client.nobody().get(page + "/cancel").body();
    var proof = Pattern.compile("/cancel/([0-9a-f]+)\"").matcher(form);
    assertThat(proof.find()).isTrue();
    Client.nobody().post(page + "/cancel/" + proof.group(1), "");
    assertThat(audited(order)).containsExactly("customer order.cancel");
  }
}
