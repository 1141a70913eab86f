package dev.tuntas.server.areas;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.areas.Admission.Customer;
import dev.tuntas.areas.AdmissionDecision.Admitted;
import dev.tuntas.areas.AreaDesk;
import dev.tuntas.areas.AreaDesk.Question;
import dev.tuntas.areas.AreaHistory;
import dev.tuntas.areas.Departure;
import dev.tuntas.areas.Loyalty;
import dev.tuntas.areas.Place;
import dev.tuntas.areas.Slots;
import dev.tuntas.server.Answer;
import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import dev.tuntas.store.Tables;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// Admission as clients and dispatchers meet it, against the whole server.
class AreasApiTest {

  private static final String CHECK = "/api/v1/dispatcher/availability-check";
  private static final String AREAS = "/api/v1/admin/dispatcher/areas";
  private static final String FLAGS = "/api/v1/admin/flags";
  private static final Place MIDDLE = new Place(-6.2088, 106.8456);
  private static final AtomicInteger COUNT = new AtomicInteger();

  @TempDir static Path data;

  private static TestServer server;
  private static Client admin;
  private static Client client;

  @BeforeAll
  static void start() {
    server =
        TestServer.start(
            data,
            "--tuntas.credentials.client-key=areas-client-key-0123456789",
            "--tuntas.credentials.admin-key=areas-admin-key-0123456789",
            "--tuntas.credentials.service-key=areas-service-key-0123456789");
    admin = new Client(server, "areas-admin-key-0123456789");
    client = new Client(server, "areas-client-key-0123456789");
  }

  @AfterAll
  static void stop() {
    server.stop();
  }

  private static final Map<String, Departure> taken = new HashMap<>();

  @AfterEach
  void empty_the_areas() {
    areaTables().write("leave", session -> Slots.giveBackAll(session, taken, Instant.now()));
    taken.clear();
    put(FLAGS, "{\"server_busy\":{\"enabled\":true,\"shadow_mode\":false}}");
    // A threshold that was set anew has never been reached.
    put(AREAS + "/JKT-PUSAT/threshold", "{\"service_type\":\"RIDE\",\"max_waiting_orders\":100}");
    admin.post(AREAS + "/JKT-PUSAT/override", "{\"status\":\"AUTO\"}");
  }

  private static Tables areaTables() {
    return server.context().getBean("areaTables", Tables.class);
  }

  private static Answer put(String path, String body) {
    return admin.send("PUT", path, body);
  }

  private static Answer check(String loyalty, String... headers) {
    return client.post(CHECK, question(MIDDLE, "RIDE", loyalty), headers);
  }

  private static String question(Place place, String service, String loyalty) {
    return "{\"pickup_location\":{\"latitude\":"
        + place.latitude()
        + ",\"longitude\":"
        + place.longitude()
        + "},\"service_type\":\""
        + service
        + "\",\"channel\":\"MYBB\",\"user_id\":\"USR-123456\",\"loyalty_level\":\""
        + loyalty
        + "\"}";
  }

  /// What accepting an order will do.
  private static int take(int orders, Loyalty loyalty) {
    var desk = server.bean(AreaDesk.class);
    int refused = 0;
    for (int i = 0; i < orders; i++) {
      var order = "ord_" + COUNT.incrementAndGet();
      var decision = desk.ask(new Question(MIDDLE, "RIDE", new Customer(loyalty, "MYBB")));
      if (decision instanceof Admitted admitted) {
        var wanted = desk.wanted(order, admitted);
        boolean mine =
            areaTables().write("take", session -> Slots.take(session, wanted, Instant.now()));
        if (mine) taken.put(order, Departure.ASSIGNED);
        if (!mine) refused++;
      } else {
        refused++;
      }
    }
    return refused;
  }

  private static JsonNode status(String area) {
    for (var it : admin.get(AREAS + "/status").json().get("areas")) {
      if (it.get("area_id").stringValue().equals(area)
          && it.get("service_type").stringValue().equals("RIDE")) {
        return it;
      }
    }
    throw new AssertionError("no area " + area);
  }

  @Test
  void an_area_with_room_is_available() {
    var answer = check("EXPLORER");
    assertThat(answer.status()).isEqualTo(200);
    var json = answer.json();
    assertThat(json.get("status").stringValue()).isEqualTo("AVAILABLE");
    assertThat(json.get("area_id").stringValue()).isEqualTo("JKT-PUSAT");
    assertThat(json.get("current_waiting").asInt()).isZero();
    assertThat(json.get("threshold").asInt()).isEqualTo(100);
    assertThat(json.get("estimated_wait_time_sec").asInt()).isPositive();
    assertThat(json.get("bypassed").asBoolean()).isFalse();
  }

  @Test
  void a_full_area_is_busy_then_bypassed_then_full_for_all() {
    assertThat(take(101, Loyalty.EXPLORER)).isEqualTo(1);
    var busy = check("TRAVELER");
    assertThat(busy.status()).isEqualTo(503);
    assertThat(busy.header("Content-Type")).hasValue("application/json");
    assertThat(busy.header("Retry-After")).hasValue("60");
    var json = busy.json();
    assertThat(json.get("status").stringValue()).isEqualTo("SERVER_BUSY");
    assertThat(json.get("error_code")).isEqualTo(json.get("code"));
    assertThat(json.get("code").stringValue()).isEqualTo("DISPATCHER_AREA_THRESHOLD_REACHED");
    assertThat(json.get("current_waiting").asInt()).isEqualTo(100);
    assertThat(json.get("threshold").asInt()).isEqualTo(100);
    assertThat(json.get("retry_after_sec").asInt()).isEqualTo(60);
    assertThat(json.get("trace_id").stringValue()).isNotEmpty();
    assertThat(json.get("message").stringValue())
        .isEqualTo("Area sedang sibuk, silakan coba beberapa saat lagi");
    var nearest = json.get("alternatives").get(0);
    assertThat(nearest.get("distance_m").asInt()).isBetween(1, 10_000);
    assertThat(nearest.get("estimated_wait_time_sec").asInt()).isPositive();

    var bypassed = check("VOYAGER");
    assertThat(bypassed.status()).isEqualTo(200);
    assertThat(bypassed.json().get("bypassed").asBoolean()).isTrue();
    assertThat(bypassed.json().get("bypass_reason").stringValue()).isEqualTo("LOYALTY_VOYAGER");
    assertThat(bypassed.json().get("message").stringValue())
        .isEqualTo("Area sedang sibuk, tapi Anda mendapat prioritas sebagai member Voyager");

    assertThat(take(25, Loyalty.ELITE)).isEqualTo(5);
    var full = check("VOYAGER", "Accept-Language", "de, en;q=0.8, id;q=0.5");
    assertThat(full.status()).isEqualTo(503);
    assertThat(full.json().get("current_waiting").asInt()).isEqualTo(120);
    assertThat(full.json().get("max_with_bypass").asInt()).isEqualTo(120);
    assertThat(full.json().get("loyalty_level").stringValue()).isEqualTo("VOYAGER");
    assertThat(full.json().get("bypassed").asBoolean()).isFalse();
    assertThat(full.json().get("message").stringValue())
        .isEqualTo("The area is very busy, please try again in a moment");
    assertThat(check("VOYAGER").json().get("message").stringValue())
        .isEqualTo("Area sedang sangat sibuk, silakan coba beberapa saat lagi");
    var shown = status("JKT-PUSAT");
    assertThat(shown.get("waiting_count").asInt()).isEqualTo(120);
    assertThat(shown.get("max_with_bypass").asInt()).isEqualTo(120);
    assertThat(shown.get("utilization").asDouble()).isEqualTo(1.2);
    assertThat(shown.get("status").stringValue()).isEqualTo("SERVER_BUSY");
    assertThat(shown.get("oldest_waiting_since").isNull()).isFalse();
  }

  @Test
  void an_override_refuses_and_then_ends_by_itself() {
    assertThat(forceBusyUntil(Instant.now().plusSeconds(3600)).status()).isEqualTo(200);
    assertThat(check("ELITE").code()).isEqualTo("DISPATCHER_AREA_THRESHOLD_REACHED");
    assertThat(status("JKT-PUSAT").get("override").get("reason").stringValue())
        .isEqualTo("Banjir di area");
    Instant until;
    do {
      until = Instant.now().plusSeconds(1);
    } while (forceBusyUntil(until).status() != 200);
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (check("ELITE").status() != 200) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(20_000_000);
    }
    assertThat(Instant.now()).isAfterOrEqualTo(until);
    assertThat(status("JKT-PUSAT").get("override").isNull()).isTrue();
  }

  /// Refused as `time_invalid` if that is over when it is read.
  private static Answer forceBusyUntil(Instant end) {
    var answer =
        admin.post(
            AREAS + "/JKT-PUSAT/override",
            "{\"status\":\"FORCE_BUSY\",\"reason\":\"Banjir di area\",\"expires_at\":\""
                + end
                + "\"}");
    if (answer.status() != 200) assertThat(answer.body()).contains("time_invalid");
    return answer;
  }

  @Test
  void a_disabled_area_and_no_area_have_codes_of_their_own() {
    put(AREAS + "/JKT-PUSAT/threshold", "{\"service_type\":\"RIDE\",\"enabled\":false}");
    var disabled = check("ELITE");
    assertThat(disabled.status()).isEqualTo(503);
    assertThat(disabled.code()).isEqualTo("DISPATCHER_AREA_DISABLED");
    assertThat(disabled.header("Retry-After")).isPresent();
    put(AREAS + "/JKT-PUSAT/threshold", "{\"service_type\":\"RIDE\",\"enabled\":true}");
    var nowhere = client.post(CHECK, question(new Place(51, 10), "RIDE", "ELITE"));
    assertThat(nowhere.status()).isEqualTo(400);
    assertThat(nowhere.code()).isEqualTo("DISPATCHER_AREA_NOT_FOUND");
    assertThat(client.post(CHECK, question(MIDDLE, "BOAT", "ELITE")).code())
        .isEqualTo("DISPATCHER_AREA_NOT_FOUND");
  }

  @Test
  void shadow_mode_refuses_nothing_and_reports() {
    put(AREAS + "/JKT-PUSAT/threshold", "{\"service_type\":\"RIDE\",\"max_waiting_orders\":2}");
    var flags = put(FLAGS, "{\"server_busy\":{\"shadow_mode\":true}}");
    assertThat(flags.json().get("server_busy").get("shadow_mode").asBoolean()).isTrue();
    assertThat(flags.json().get("proactive_retrieval").get("percentage").asInt()).isEqualTo(100);
    assertThat(take(5, Loyalty.EXPLORER)).isZero();
    assertThat(check("EXPLORER").json().get("shadow_mode").asBoolean()).isTrue();
    var report =
        admin.get(
            "/api/v1/admin/dispatcher/shadow-report?to=2100-01-01T00:00:00Z"
                + "&from=2099-12-01T00:00:00Z");
    assertThat(report.json().get("would_have_refused").asInt()).isZero();
    var soon = Instant.now().plusSeconds(60);
    report = admin.get("/api/v1/admin/dispatcher/shadow-report?to=" + soon);
    assertThat(report.json().get("would_have_refused").asInt()).isEqualTo(3);
    assertThat(report.json().get("items").get(0).get("area_id").stringValue())
        .isEqualTo("JKT-PUSAT");
  }

  @Test
  void outside_the_flags_nothing_is_refused() {
    put(AREAS + "/JKT-PUSAT/threshold", "{\"service_type\":\"RIDE\",\"max_waiting_orders\":0}");
    assertThat(check("EXPLORER").status()).isEqualTo(503);
    put(FLAGS, "{\"server_busy\":{\"enabled_channels\":[\"WEB\"]}}");
    assertThat(check("EXPLORER").status()).isEqualTo(200);
    put(FLAGS, "{\"server_busy\":{\"enabled_channels\":[]}}");
    assertThat(check("EXPLORER").status()).isEqualTo(503);
  }

  @Test
  void an_area_is_made_changed_found_and_removed_and_all_of_it_audited() {
    var body =
        """
        {"name":"Grand Indonesia","geofence":{"type":"Polygon","coordinates":
        [[[106.84,-6.21],[106.85,-6.21],[106.85,-6.20],[106.84,-6.20],[106.84,-6.21]]]},
        "geohash":[],"service_type":["RIDE"],"priority":5,"enabled":true}
        """;
    assertThat(put(AREAS + "/MALL-GI", body).status()).isEqualTo(201);
    assertThat(put(AREAS + "/MALL-GI", body).status()).isEqualTo(200);
    assertThat(check("ELITE").json().get("area_id").stringValue()).isEqualTo("MALL-GI");
    var changed =
        put(
            AREAS + "/MALL-GI/threshold",
            "{\"service_type\":\"RIDE\",\"max_waiting_orders\":150,\"waiting_timeout_sec\":300}");
    assertThat(changed.json().get("order_lifetime_sec").asInt()).isEqualTo(300);
    var shown = admin.get(AREAS + "/MALL-GI").json();
    assertThat(shown.get("geofence").get("type").stringValue()).isEqualTo("Polygon");
    assertThat(shown.get("thresholds").get(0).get("max_waiting_orders").asInt()).isEqualTo(150);
    assertThat(shown.get("thresholds").get(0).get("cooldown_period_sec").asInt()).isEqualTo(60);
    assertThat(admin.send("DELETE", AREAS + "/MALL-GI", "").status()).isEqualTo(204);
    assertThat(admin.send("DELETE", AREAS + "/MALL-GI", "").status()).isEqualTo(404);
    assertThat(admin.get(AREAS + "/MALL-GI").status()).isEqualTo(404);
    assertThat(admin.get(AREAS + "/MALL-GI/history").status()).isEqualTo(404);
    assertThat(check("ELITE").json().get("area_id").stringValue()).isEqualTo("JKT-PUSAT");
    var audit = admin.get("/api/v1/admin/audit?limit=100").body();
    assertThat(audit)
        .contains("area.created", "area.changed", "area.rules.changed", "area.deleted");
  }

  @Test
  void history_shows_what_was_written_down() {
    take(3, Loyalty.EXPLORER);
    var later = Instant.now().plusSeconds(60);
    server.bean(AreaHistory.class).record(later, Map.of());
    var history = admin.get(AREAS + "/JKT-PUSAT/history?to=" + later.plusSeconds(60)).json();
    assertThat(history.get("items").size()).isPositive();
    assertThat(history.get("items").findValuesAsString("waiting_max")).contains("3");
    assertThat(history.get("peak_hours").get(0).get("waiting_max").asInt())
        .isGreaterThanOrEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT|/JKT-PUSAT/threshold|{'service_type':'RIDE','max_waiting_orders':-1}|422|out_of_range",
        "PUT|/JKT-PUSAT/threshold|{'service_type':'RIDE','max_waiting_orders':1e12}|422|out_of_range",
        "PUT|/JKT-PUSAT/threshold|{'service_type':'RIDE','max_waiting_orders':'ten'}|422|out_of_range",
        "PUT|/JKT-PUSAT/threshold|{'service_type':'RIDE','retry':1}|400|unknown_field",
        "PUT|/JKT-PUSAT/threshold|{'max_waiting_orders':1}|422|field_required",
        "PUT|/JKT-PUSAT/threshold|{'service_type':'BOAT'}|422|out_of_range",
        "PUT|/JKT-PUSAT/threshold|{'service_type':'RIDE','dispatch_timeout_sec':2000}|422|out_of_range",
        "PUT|/JKT-PUSAT/threshold|{'service_type':'RIDE','time_zone':'Mars'}|422|out_of_range",
        "PUT|/JKT-PUSAT/threshold|{'service_type':'RIDE','bypass_loyalty_levels':['GOLD']}|422|out_of_range",
        "PUT|/JKT-PUSAT/threshold|{'service_type':'RIDE','thresholds_by_time':[{'from':'9','to':'10:00','max_waiting_orders':1}]}|422|out_of_range",
        "PUT|/NOWHERE/threshold|{'service_type':'RIDE','max_waiting_orders':1}|404|not_found",
        "POST|/JKT-PUSAT/override|{'status':'FORCE_BUSY'}|422|reason_required",
        "POST|/JKT-PUSAT/override|{'status':'FORCE_BUSY','reason':'   '}|422|reason_required",
        "POST|/JKT-PUSAT/override|{'status':'BUSY','reason':'x'}|422|out_of_range",
        "POST|/JKT-PUSAT/override|{'status':'FORCE_BUSY','reason':'x','expires_at':'2020-01-01T00:00:00Z'}|422|time_invalid",
        "POST|/JKT-PUSAT/override|{'status':'FORCE_BUSY','reason':'x','expires_at':'2027-02-30T00:00:00Z'}|422|time_invalid",
        "POST|/JKT-PUSAT/override|{'status':'FORCE_BUSY','reason':'x','service_type':'BOAT'}|422|out_of_range",
        "POST|/NOWHERE/override|{'status':'AUTO'}|404|not_found",
        "PUT|/A|{'name':'A','service_type':['RIDE']}|422|area_invalid",
        "PUT|/A|{'name':'A','service_type':[],'geohash':['qq']}|422|out_of_range",
        "PUT|/A|{'name':'A','service_type':['ride'],'geohash':['qq']}|422|area_invalid",
        "PUT|/A|{'name':'A','service_type':['RIDE'],'geohash':['aa']}|422|area_invalid",
        "PUT|/A|{'name':'A','service_type':['RIDE'],'geofence':{'type':'Point'}}|422|area_invalid",
        "PUT|/A|{'name':'A','service_type':['RIDE'],'geofence':7}|422|area_invalid",
        "PUT|/status|{'name':'A','service_type':['RIDE'],'geohash':['qq']}|405|method_not_allowed",
        "PUT|/-x|{'name':'A','service_type':['RIDE'],'geohash':['qq']}|422|id_invalid",
      })
  void what_makes_no_sense_is_refused(
      String method, String path, String body, int status, String code) {
    var answer = admin.send(method, AREAS + path, body.replace('\'', '"'));
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'service_type':'RIDE','channel':'MYBB'}|422|field_required",
        "{'pickup_location':{'latitude':91,'longitude':0},'service_type':'RIDE','channel':'M'}|422|location_invalid",
        "{'pickup_location':{'latitude':0,'longitude':-181},'service_type':'RIDE','channel':'M'}|422|location_invalid",
        "{'pickup_location':{'latitude':1e400,'longitude':0},'service_type':'RIDE','channel':'M'}|422|location_invalid",
        "{'pickup_location':{'latitude':'x','longitude':0},'service_type':'RIDE','channel':'M'}|422|field_type",
        "{'pickup_location':[1,2],'service_type':'RIDE','channel':'M'}|422|field_type",
        "{'pickup_location':{'latitude':0,'longitude':0,'z':1},'service_type':'RIDE','channel':'M'}|400|unknown_field",
        "{'pickup_location':{'latitude':0,'longitude':0},'service_type':'ride','channel':'M'}|422|out_of_range",
        "{'pickup_location':{'latitude':0,'longitude':0},'service_type':'RIDE'}|422|field_required",
        "{'pickup_location':{'latitude':0,'longitude':0},'service_type':'RIDE','channel':'M'}|400|DISPATCHER_AREA_NOT_FOUND",
      })
  void a_check_that_makes_no_sense_is_refused(String body, int status, String code) {
    var answer = client.post(CHECK, body.replace('\'', '"'));
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({
    "?from=yesterday",
    "?from=2027-01-02T00:00:00Z&to=2027-01-01T00:00:00Z",
    "?from=2020-01-01T00:00:00Z",
    "?limit=3",
    "?to=2027-01-01T00:00:00Z&to=2027-01-01T00:00:00Z",
  })
  void a_time_that_cannot_be_reported_is_refused(String query) {
    for (var path : new String[] {"/areas/JKT-PUSAT/history", "/shadow-report"}) {
      var answer = admin.get("/api/v1/admin/dispatcher" + path + query);
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.code()).isEqualTo("parameter_invalid");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'server_busy':{'enabled':'yes'}}|422|field_type",
        "{'server_busy':7}|422|field_type",
        "{'proactive_retrieval':{'percentage':101}}|422|out_of_range",
        "{'other':{}}|400|unknown_field",
      })
  void flags_that_make_no_sense_are_refused(String body, int status, String code) {
    var answer = put(FLAGS, body.replace('\'', '"'));
    assertThat(answer.status()).isEqualTo(status);
    assertThat(answer.code()).isEqualTo(code);
  }
}
