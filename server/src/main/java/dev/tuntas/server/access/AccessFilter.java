package dev.tuntas.server.access;

import dev.tuntas.audit.Audit;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.http.Problems;
import dev.tuntas.server.http.TraceId;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/// Lets through what the table of routes allows and nothing else.
public final class AccessFilter extends OncePerRequestFilter {

  /// Paths that mean one thing to everybody who reads them.
  private static final Pattern PLAIN = Pattern.compile("(/[A-Za-z0-9._:~-]+)*/?");

  private static final Set<String> KEY_PARAMETERS =
      Set.of("access_token", "api_key", "apikey", "authorization", "key", "token");
  private static final int HEADER_MAX = 300;

  private final KeyRing keys;
  private final RateLimit rate;
  private final RateLimit denials;
  private final Audit audit;

  public AccessFilter(KeyRing keys, RateLimit rate, Audit audit) {
    this.keys = keys;
    this.rate = rate;
    this.denials = new RateLimit(5, 20, System::nanoTime);
    this.audit = audit;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    var routes = routes(request);
    if (request.getMethod().equals("OPTIONS")) {
      response.setHeader("Allow", Routes.allowed(routes) + ", OPTIONS");
      response.setStatus(204);
      return;
    }
    var route =
        Routes.of(request.getMethod(), routes)
            .orElseThrow(() -> Problems.methodNotAllowed(Routes.allowed(routes)).asException());
    refuseKeyInAddress(request);
    if (!route.open()) admit(route, request);
    requireAcceptable(route, request);
    request.setAttribute(Route.class.getName(), route);
    chain.doFilter(request, response);
  }

  private static List<Route> routes(HttpServletRequest request) {
    var path = request.getRequestURI();
    var routes = isPlain(path) ? Routes.at(path) : List.<Route>of();
    if (routes.isEmpty()) throw Problem.notFound().asException();
    return routes;
  }

  /// A path that is written in a roundabout way is not looked at any further.
  private static boolean isPlain(String path) {
    var decoded = path.contains("%") ? path.replaceAll("(?i)%3a", ":") : path;
    return PLAIN.matcher(decoded).matches() && !decoded.contains("/.");
  }

  private void admit(Route route, HttpServletRequest request) {
    var caller = caller(request);
    var wait = rate.take(caller.client());
    if (wait.isPositive()) {
      throw Problem.of(429, "rate_limited", "This client calls more often than it may.")
          .retryAfter(wait)
          .asException();
    }
    if (!route.allows(caller)) throw deny(route, caller).asException();
    request.setAttribute(Caller.class.getName(), caller.on(route));
  }

  private Caller caller(HttpServletRequest request) {
    return bearer(request)
        .flatMap(keys::find)
        .map(
            key ->
                new Caller(
                    key.client(),
                    key.id(),
                    key.roles(),
                    key.trusted(),
                    String.valueOf(request.getRemoteAddr()),
                    TraceId.of(request)))
        .orElseThrow(() -> unauthenticated().asException());
  }

  private static Optional<String> bearer(HttpServletRequest request) {
    var headers = Collections.list(request.getHeaders("Authorization"));
    if (headers.size() != 1) return Optional.empty();
    var header = headers.getFirst().strip();
    if (header.length() > HEADER_MAX || !header.regionMatches(true, 0, "Bearer ", 0, 7)) {
      return Optional.empty();
    }
    var key = header.substring(7).strip();
    return key.isEmpty() ? Optional.empty() : Optional.of(key);
  }

  private static Problem unauthenticated() {
    return Problem.of(
            401,
            "unauthenticated",
            "This needs a key: send the header Authorization: Bearer <key>.")
        .withHeader("WWW-Authenticate", "Bearer realm=\"tuntas\"");
  }

  private Problem deny(Route route, Caller caller) {
    if (!route.isOperators()) {
      return Problem.of(403, "scope_missing", "The key does not have the role that this needs.");
    }
    // Limited, or one key could fill the log.
    if (denials.take(caller.keyId()).isZero()) {
      var action = route.method() + " " + route.path().getPatternString();
      audit.append(caller.did(action, "").denied());
    }
    return caller.roles().stream().anyMatch(Role::isOperator)
        ? Problem.of(403, "role_missing", "The key does not have the role that this needs.")
        : Problem.of(403, "forbidden", "This is for operators.");
  }

  private static void refuseKeyInAddress(HttpServletRequest request) {
    var query = request.getQueryString();
    if (query == null) return;
    for (var parameter : query.split("&", -1)) {
      var name = parameter.replaceFirst("=.*", "").toLowerCase(Locale.ROOT);
      if (KEY_PARAMETERS.contains(name)) {
        throw Problem.of(
                400,
                "parameter_invalid",
                "A key in an address ends up in logs: it belongs in the header Authorization.")
            .asException();
      }
    }
  }

  private static void requireAcceptable(Route route, HttpServletRequest request) {
    var accept = String.join(",", Collections.list(request.getHeaders("Accept")));
    if (accept.isBlank() || accept.equals("*/*")) return;
    var produced = MediaType.parseMediaType(route.produces());
    try {
      boolean acceptable =
          MediaType.parseMediaTypes(accept).stream()
              .anyMatch(
                  wanted -> wanted.getQualityValue() > 0 && wanted.isCompatibleWith(produced));
      if (acceptable) return;
    } catch (InvalidMediaTypeException _) {
      // nothing that we could send
    }
    throw Problems.notAcceptable().asException();
  }
}
