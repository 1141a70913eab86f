package dev.tuntas.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.Client;
import dev.tuntas.server.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/// The table of routes against what the server really has, and the server against the table.
final class RoutesTest {

  /// Pages are read by people, not described for programs.
  private static final Set<String> PAGES =
      Set.of(
          "GET /",
          "GET /docs",
          "GET /style.css",
          "GET /order.js",
          "GET /v3/api-docs",
          "GET /o/{}",
          "GET /o/{}/events",
          "GET /o/{}/cancel",
          "POST /o/{}/cancel/{}");

  @Test
  void every_route_of_the_server_has_a_rule() {
    var rules = names(Routes.all());
    assertThat(served()).isNotEmpty().allSatisfy(route -> assertThat(rules).contains(route));
  }

  @Test
  void every_route_of_the_server_is_described_and_nothing_else_is() {
    var expected = new TreeSet<>(served());
    expected.removeAll(PAGES);
    assertThat(described()).containsExactlyElementsOf(expected);
  }

  @Test
  void the_document_names_the_same_roles_as_the_table() {
    var paths = Client.nobody().get("/v3/api-docs").json().get("paths");
    for (var route : Routes.all()) {
      var call =
          paths
              .path(route.path().getPatternString())
              .path(route.method().toLowerCase(java.util.Locale.ROOT));
      if (call.isMissingNode()) continue;
      var roles = new TreeSet<String>();
      call.path("x-roles").forEach(role -> roles.add(role.stringValue()));
      assertThat(roles)
          .as(route.toString())
          .isEqualTo(
              route.roles().stream()
                  .map(Role::text)
                  .collect(Collectors.toCollection(TreeSet::new)));
    }
  }

  static Stream<Route> closed() {
    return Routes.all().stream().filter(route -> !route.open());
  }

  @ParameterizedTest
  @MethodSource("closed")
  void no_route_that_needs_a_key_answers_without_one(Route route) {
    for (var caller : List.of(Client.nobody(), Client.nobody().with("tk_wrong"))) {
      var answer = caller.send(route.method(), path(route), "");
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.code()).isEqualTo("unauthenticated");
      assertThat(answer.header("WWW-Authenticate"))
          .hasValueSatisfying(it -> assertThat(it).startsWith("Bearer"));
    }
  }

  @ParameterizedTest
  @MethodSource("closed")
  void no_route_answers_a_key_without_one_of_its_roles(Route route) {
    for (var role : Role.values()) {
      var caller = new Caller("x", "key", Set.of(role), true, "", "");
      if (route.allows(caller)) continue;
      var answer = Client.nobody().with(Keys.of(role)).send(route.method(), path(route), "");
      assertThat(answer.status()).as(role.text()).isEqualTo(403);
      assertThat(answer.code()).as(role.text()).isEqualTo(expectedCode(route, role));
    }
  }

  private static String expectedCode(Route route, Role role) {
    if (!route.isOperators()) return "scope_missing";
    return role.isOperator() ? "role_missing" : "forbidden";
  }

  @Test
  void what_an_operator_was_denied_is_in_the_audit_log() {
    var viewer = Client.nobody().with(Keys.make("curious", Role.VIEWER));
    viewer.send("DELETE", "/api/v1/admin/keys/key_1", "");
    var found = new ArrayList<String>();
    // The other tests here make many entries.
    for (var cursor = ""; cursor != null; ) {
      var page = Client.admin().get("/api/v1/admin/audit?limit=100" + cursor).json();
      page.get("items")
          .forEach(
              entry ->
                  found.add(
                      entry.get("actor").stringValue()
                          + " "
                          + entry.get("action").stringValue()
                          + " "
                          + entry.get("result").stringValue()));
      var next = page.get("next_cursor");
      cursor = next.isNull() ? null : "&cursor=" + next.stringValue();
    }
    assertThat(found).contains("curious DELETE /api/v1/admin/keys/{id} denied");
  }

  @Test
  void admin_may_do_everything_and_others_only_theirs() {
    assertThat(Role.ADMIN.includes(Role.SERVICE)).isTrue();
    assertThat(Role.SUPPORT.includes(Role.VIEWER)).isTrue();
    assertThat(Role.SUPPORT.includes(Role.DISPATCHER)).isFalse();
    assertThat(Role.VIEWER.includes(Role.CLIENT)).isFalse();
    assertThat(Role.CLIENT.includes(Role.VIEWER)).isFalse();
  }

  private static String path(Route route) {
    return route.path().getPatternString().replaceAll("\\{[^}]*}", "x1");
  }

  private static Set<String> names(List<Route> routes) {
    return routes.stream()
        .map(route -> route.method() + " " + plain(route.path().getPatternString()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> described() {
    var described = new TreeSet<String>();
    Client.nobody()
        .get("/v3/api-docs")
        .json()
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .propertyNames()
                    .forEach(
                        method ->
                            described.add(
                                method.toUpperCase(java.util.Locale.ROOT)
                                    + " "
                                    + plain(path.getKey()))));
    return described;
  }

  /// Every method of every path that any controller or endpoint has.
  private static Set<String> served() {
    var served = new TreeSet<String>();
    for (var mapping :
        TestServer.running()
            .context()
            .getBeansOfType(RequestMappingInfoHandlerMapping.class)
            .values()) {
      mapping.getHandlerMethods().keySet().forEach(info -> served.addAll(routes(info)));
    }
    return served;
  }

  private static List<String> routes(RequestMappingInfo info) {
    var routes = new ArrayList<String>();
    for (var path : info.getPatternValues()) {
      for (var method : info.getMethodsCondition().getMethods()) {
        if (path.equals("/actuator/health/**")) {
          // Spring has one route for all groups; we let two of them through.
          routes.add(method + " /actuator/health/liveness");
          routes.add(method + " /actuator/health/readiness");
        } else {
          routes.add(method + " " + plain(path));
        }
      }
      if (info.getMethodsCondition().getMethods().isEmpty()) routes.add("any " + path);
    }
    return routes;
  }

  private static String plain(String path) {
    return path.replaceAll("\\{[^}]*}", "{}");
  }
}
