package dev.tuntas.server.orders;

import static dev.tuntas.server.orders.Orders.id;
import static dev.tuntas.server.orders.Orders.newKey;
import static dev.tuntas.server.orders.Orders.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The customer's page while a driver is looked for, and the way to cancel on it.
class OrderPageTest {

  private static final String RIDE =
      """
      {"kind":"ride","customer_id":"USR-7","service_type":"RIDE",
       "pickup_location":{"latitude":-6.2088,"longitude":106.8456},
       "dropoff_location":{"latitude":-6.1256,"longitude":106.6559},
       "payment":{"status":"%s","amount":150000,"currency":"IDR"}}\
      """;

  private final Orders orders = Orders.ofClient();
  private final Client browser = Client.nobody();

  @BeforeEach
  void nobodyDrives() {
    Client.admin()
        .send(
            "PUT",
            "/sim/bbd",
            """
            {"callback_rate":1,"callback_delay_ms":[10,20],"assign_delay_ms":[10,20],
             "driver_rate":0,"search_ms":[10,20],"pick_up_ms":[10,20],"trip_ms":[10,20]}\
            """);
  }

  @AfterEach
  void usualPartner() {
    Client.admin().send("PUT", "/sim/bbd", "{\"reset\":true}");
  }

  private Answer searching(String payment) throws Exception {
    var answer = orders.place(RIDE.formatted(payment), newKey());
    until(() -> orders.status(id(answer)).equals("ASSIGNED"));
    return answer;
  }

  private static String page(Answer answer) {
    return answer.json().at("/links/page").asString();
  }

  private Answer cancel(String page, String proof, String... headers) {
    return browser.post(page + "/cancel/" + proof, "", headers);
  }

  /// What the form of the confirmation carries.
  private String proof(String page) {
    var form = browser.get(page + "/cancel").body();
    var found =
        Pattern.compile("action=\"" + Pattern.quote(page) + "/cancel/([0-9a-f]+)\"").matcher(form);
    assertThat(found.find()).as(form).isTrue();
    return found.group(1);
  }

  @Test
  void while_searching_it_shows_the_attempt_the_time_left_and_how_to_cancel() throws Exception {
    var page = page(searching("UNPAID"));
    until(() -> browser.get(page).body().contains("<dd>1</dd>"));
    var shown = browser.get(page, "Accept-Language", "en-GB,en;q=0.9").body();
    assertThat(shown)
        .contains(
            "lang=\"en\"",
            "We are looking for a driver",
            "Attempt",
            "Next attempt",
            "Estimated wait",
            "data-until=\"20",
            "href=\"" + page + "/cancel\"",
            "http-equiv=\"refresh\"");
    assertThat(shown).containsPattern(">(30:00|29:\\d\\d)</time>");
    assertThat(shown).doesNotContain("USR-7", "??");
  }

  @Test
  void it_speaks_indonesian_to_who_reads_that() throws Exception {
    var ride = searching("PAID");
    var page = page(ride);
    assertThat(browser.get(page, "Accept-Language", "id-ID,id;q=0.9,en;q=0.5").body())
        .contains("lang=\"id\"", "Kami sedang mencari pengemudi", "Batalkan");
    assertThat(browser.get(page + "/cancel", "Accept-Language", "id").body())
        .contains("Batalkan perjalanan ini?", "Ya, batalkan");
    assertThat(cancel(page, proof(page)).status()).isEqualTo(303);
    until(() -> orders.status(id(ride)).equals("CANCELLED_BY_USER"));
    assertThat(browser.get(page, "Accept-Language", "id").body())
        .contains("Perjalanan Anda dibatalkan", "Rp 150,000", "3-5 hari kerja")
        .doesNotContain("The ride was cancelled", "Batalkan</a>");
  }

  @Test
  void to_cancel_takes_two_steps_and_may_be_sent_twice() throws Exception {
    var ride = searching("UNPAID");
    var page = page(ride);
    var proof = proof(page);
    assertThat(orders.status(id(ride))).as("a link changes nothing").isEqualTo("ASSIGNED");
    var done = cancel(page, proof, "Sec-Fetch-Site", "same-origin");
    assertThat(done.status()).isEqualTo(303);
    assertThat(done.header("Location")).contains(page + "?cancel=done");
    until(() -> orders.status(id(ride)).equals("CANCELLED_BY_USER"));
    assertThat(browser.get(page + "?cancel=done").body())
        .contains("It is cancelled.", "Your ride is cancelled", "You were not charged")
        .doesNotContain("order.js");
    var again = cancel(page, proof);
    assertThat(again.status()).isEqualTo(303);
    assertThat(browser.get(again.header("Location").orElseThrow()).body())
        .contains("It is over already");
    assertThat(browser.get(page + "/cancel").status()).isEqualTo(302);
  }

  @ParameterizedTest
  @CsvSource({"wrong, same-origin", "right, cross-site", "right, same-site", "00, none"})
  void a_form_of_somebody_else_cancels_nothing(String proof, String site) throws Exception {
    var ride = searching("UNPAID");
    var given = proof.equals("right") ? proof(page(ride)) : proof;
    var refused = cancel(page(ride), given, "Sec-Fetch-Site", site);
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.code()).isEqualTo("csrf");
    assertThat(orders.status(id(ride))).isEqualTo("ASSIGNED");
  }

  @Test
  void after_the_end_it_says_kindly_that_it_is_too_late() throws Exception {
    var ride = searching("UNPAID");
    var proof = proof(page(ride));
    Client.admin().send("PUT", "/sim/bbd", "{\"driver_rate\":1}");
    var second = orders.place(RIDE.formatted("UNPAID"), newKey());
    until(() -> orders.status(id(second)).equals("COMPLETED"));
    assertThat(browser.get(page(second)).body()).contains("You have arrived");
    assertThat(cancel(page(second), proof).status()).as("of another ride").isEqualTo(403);
    assertThat(browser.get(page(second) + "?cancel=asked").body()).contains("It is too late");
    assertThat(browser.get(page(second)).body()).doesNotContain("/cancel\"");
  }

  @Test
  void an_order_in_doubt_can_be_cancelled_too() throws Exception {
    var order = orders.place(Orders.checkout("pm_never", "SKU-2", 1), newKey());
    until(() -> browser.get(page(order)).body().contains("We are waiting for an answer"));
    assertThat(browser.get(page(order) + "/cancel").body()).contains("Cancel this order?");
    var sent = cancel(page(order), proof(page(order)));
    assertThat(browser.get(sent.header("Location").orElseThrow()).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/o/x", "/o/ord_00000000000000000000000000.00", "/o/.", "/o/x.y"})
  void a_wrong_link_tells_nothing_and_cancels_nothing(String page) {
    assertThat(browser.get(page).status()).isEqualTo(404);
    assertThat(browser.get(page + "/cancel").status()).isEqualTo(404);
    assertThat(cancel(page, "x").status()).isEqualTo(404);
  }

  @Test
  void both_languages_have_words_for_everything() throws Exception {
    var english = words("en");
    var indonesian = words("id");
    english.remove("because.CANCELLED_BY_USER");
    indonesian.remove("because.CANCELLED_BY_USER");
    assertThat(indonesian.keySet()).isEqualTo(english.keySet());
    for (var status : OrderJson.statuses()) {
      if (!isRide(status)) continue;
      assertThat(english.getProperty("headline.ride." + status.toLowerCase())).isNotNull();
    }
  }

  private static boolean isRide(String status) {
    return status.startsWith("CANCELLED")
        || java.util.List.of(
                "PENDING_JOB_ID",
                "ASSIGNED",
                "DRIVER_ASSIGNED",
                "PICKED_UP",
                "COMPLETED",
                "REFUND_PENDING",
                "REFUNDED")
            .contains(status);
  }

  private static Properties words(String language) throws Exception {
    var words = new Properties();
    try (var in =
        new InputStreamReader(
            OrderPageTest.class.getResourceAsStream("/pages/order_" + language + ".properties"),
            StandardCharsets.UTF_8)) {
      words.load(in);
    }
    return words;
  }
}
