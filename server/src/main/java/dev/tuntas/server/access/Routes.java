package dev.tuntas.server.access;

import static dev.tuntas.server.access.Role.ADMIN;
import static dev.tuntas.server.access.Role.CLIENT;
import static dev.tuntas.server.access.Role.DISPATCHER;
import static dev.tuntas.server.access.Role.PARTNER;
import static dev.tuntas.server.access.Role.SERVICE;
import static dev.tuntas.server.access.Role.SUPPORT;
import static dev.tuntas.server.access.Role.VIEWER;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.http.server.PathContainer;

/// Who may call what. A path that is not here does not exist, whatever the controllers say.
public final class Routes {

  private static final List<Route> ALL =
      List.of(
          // Pages, health and documents
          Route.of("GET", "/").producing(Route.ANY),
          Route.of("GET", "/docs").producing(Route.ANY),
          Route.of("GET", "/style.css").producing(Route.ANY),
          Route.of("GET", "/order.js").producing(Route.ANY),
          Route.of("GET", "/v3/api-docs"),
          Route.of("GET", "/actuator/health").producing(Route.ANY),
          Route.of("GET", "/actuator/health/liveness").producing(Route.ANY),
          Route.of("GET", "/actuator/health/readiness").producing(Route.ANY),
          Route.of("GET", "/actuator/prometheus", VIEWER).producing(Route.ANY),

          // Orders
          Route.of("POST", "/api/v1/orders", CLIENT).shedding(),
          Route.of("GET", "/api/v1/orders", CLIENT, VIEWER),
          Route.of("GET", "/api/v1/orders/{id}", CLIENT, VIEWER),
          Route.of("GET", "/api/v1/orders/{id}/events", CLIENT, VIEWER).producing(Route.ANY),
          Route.of("POST", "/api/v1/orders/{id}/cancel", CLIENT, SUPPORT),
          Route.of("PUT", "/api/v1/orders/{id}/payment", CLIENT, SERVICE),
          Route.of("GET", "/o/{token}").producing(Route.ANY),
          Route.of("GET", "/o/{token}/events").producing(Route.ANY),
          Route.of("GET", "/o/{token}/cancel").producing(Route.ANY),
          Route.of("POST", "/o/{token}/cancel/{proof}").producing(Route.ANY),

          // Dispatcher
          Route.of("POST", "/api/v1/dispatcher/availability-check", CLIENT),
          Route.of("GET", "/api/v1/admin/dispatcher/areas/status", VIEWER),
          Route.of("GET", "/api/v1/admin/dispatcher/areas/{id}", VIEWER),
          Route.of("PUT", "/api/v1/admin/dispatcher/areas/{id}", DISPATCHER),
          Route.of("DELETE", "/api/v1/admin/dispatcher/areas/{id}", DISPATCHER),
          Route.of("PUT", "/api/v1/admin/dispatcher/areas/{id}/threshold", DISPATCHER),
          Route.of("POST", "/api/v1/admin/dispatcher/areas/{id}/override", DISPATCHER),
          Route.of("GET", "/api/v1/admin/dispatcher/areas/{id}/history", VIEWER),
          Route.of("GET", "/api/v1/admin/dispatcher/shadow-report", VIEWER),
          Route.of("GET", "/api/v1/admin/flags", VIEWER),
          Route.of("PUT", "/api/v1/admin/flags", DISPATCHER),

          // Services of their own
          Route.of("GET", "/api/v1/inventory/items/{sku}", SERVICE, VIEWER),
          Route.of("PUT", "/api/v1/inventory/items/{sku}", ADMIN),
          Route.of("GET", "/api/v1/inventory/rooms/{id}", SERVICE, VIEWER),
          Route.of("PUT", "/api/v1/inventory/rooms/{id}", ADMIN),
          Route.of("POST", "/api/v1/inventory/reservations", SERVICE),
          Route.of("POST", "/api/v1/inventory/reservations/keep", SERVICE),
          Route.of("POST", "/api/v1/inventory/reservations/confirm", SERVICE),
          Route.of("POST", "/api/v1/inventory/release", SERVICE),
          Route.of("POST", "/api/v1/inventory/release_reservation", SERVICE),
          Route.of("POST", "/api/v1/inventory/commit", SERVICE),
          Route.of("POST", "/api/v1/payments/charges", SERVICE),
          Route.of("POST", "/api/v1/payments/refunds", SERVICE),
          Route.of("GET", "/api/v1/payments/{order_id}", SERVICE, VIEWER),
          Route.of("GET", "/api/v1/carts/{id}", SERVICE, VIEWER),
          Route.of("PUT", "/api/v1/carts/{id}", SERVICE),
          Route.of("POST", "/api/v1/cart/items/clear", SERVICE),

          // Support
          Route.of("GET", "/api/v1/support/tickets", VIEWER),
          Route.of("GET", "/api/v1/support/tickets/{id}", VIEWER),
          Route.of("POST", "/api/v1/support/tickets/{id}/verify", SUPPORT),
          Route.of("POST", "/api/v1/support/tickets/{id}/notes", SUPPORT),
          Route.of("POST", "/api/v1/support/tickets/{id}/refund", SUPPORT),
          Route.of("POST", "/api/v1/support/tickets/{id}/resolve", SUPPORT),

          // Administration
          Route.of("GET", "/api/v1/admin/sagas", VIEWER),
          Route.of("POST", "/api/v1/admin/sagas/{id}/retry-now", SUPPORT),
          Route.of("POST", "/api/v1/admin/sagas/{id}/resolve", SUPPORT),
          Route.of("POST", "/api/v1/admin/sagas/{id}/skip", SUPPORT),
          Route.of("POST", "/api/v1/admin/sagas/{id}/give-up", SUPPORT),
          Route.of("GET", "/api/v1/admin/dead-letters", VIEWER),
          Route.of("POST", "/api/v1/admin/dead-letters/{id}/replay", SUPPORT),
          Route.of("POST", "/api/v1/admin/dead-letters/{id}/discard", SUPPORT),
          Route.of("POST", "/api/v1/admin/dead-letters/replay", SUPPORT),
          Route.of("POST", "/api/v1/admin/dead-letters/discard", SUPPORT),
          Route.of("GET", "/api/v1/admin/audit", VIEWER),
          Route.of("GET", "/api/v1/admin/keys", ADMIN),
          Route.of("POST", "/api/v1/admin/keys", ADMIN),
          Route.of("DELETE", "/api/v1/admin/keys/{id}", ADMIN),

          // Callbacks: signed
          Route.of("POST", "/api/v1/callbacks/{partner}"),

          // Simulated partners
          Route.of("POST", "/partner/bank/api/v1/payments/charges", PARTNER),
          Route.of("POST", "/partner/bank/api/v1/payments/refunds", PARTNER),
          Route.of("POST", "/partner/bbd/api/bookings", PARTNER),
          Route.of("GET", "/partner/bbd/api/job-status", PARTNER),
          Route.of("POST", "/partner/bbd/api/bookings/{id}/dispatch", PARTNER),
          Route.of("POST", "/partner/bbd/api/bookings/{id}/cancel", PARTNER),
          Route.of("GET", "/sim/bbd", ADMIN),
          Route.of("PUT", "/sim/bbd", ADMIN),
          Route.of("GET", "/sim/bbd/ledger", ADMIN),
          Route.of("GET", "/sim/bbd/traffic", ADMIN),
          Route.of("GET", "/sim/{partner}", ADMIN),
          Route.of("PUT", "/sim/{partner}", ADMIN),
          Route.of("GET", "/sim/{partner}/ledger", ADMIN));

  /// Most requests are for a path without variables, and those are found without a search.
  private static final Map<String, List<Route>> FIXED =
      ALL.stream()
          .filter(route -> !route.path().hasPatternSyntax())
          .collect(Collectors.groupingBy(route -> route.path().getPatternString()));

  private static final List<Route> VARIABLE =
      ALL.stream().filter(route -> route.path().hasPatternSyntax()).toList();

  private Routes() {}

  public static List<Route> all() {
    return ALL;
  }

  /// The routes of a path, one for each method.
  static List<Route> at(String path) {
    var fixed = FIXED.get(path);
    if (fixed != null) return fixed;
    var requested = PathContainer.parsePath(path);
    return VARIABLE.stream().filter(route -> route.has(requested)).toList();
  }

  static Optional<Route> of(String method, List<Route> routes) {
    return routes.stream().filter(route -> route.isFor(method)).findFirst();
  }

  static String allowed(List<Route> routes) {
    return routes.stream().map(Route::method).distinct().sorted().collect(Collectors.joining(", "));
  }
}
