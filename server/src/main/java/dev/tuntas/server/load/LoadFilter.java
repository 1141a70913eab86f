package dev.tuntas.server.load;

import dev.tuntas.server.access.Route;
import dev.tuntas.server.http.Problems;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.springframework.web.filter.OncePerRequestFilter;

/// Refuses work that could not be done in time, or not at all, before its body is read.
public final class LoadFilter extends OncePerRequestFilter {

  private final LoadLimit limit;
  private final Duration retryAfter;
  private final BooleanSupplier standsStill;

  /// @param standsStill whether this process could not carry what it takes on
  public LoadFilter(LoadLimit limit, Duration retryAfter, BooleanSupplier standsStill) {
    this.limit = limit;
    this.retryAfter = retryAfter;
    this.standsStill = standsStill;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    boolean counts =
        request.getAttribute(Route.class.getName()) instanceof Route route && route.sheds();
    if (!counts) {
      chain.doFilter(request, response);
      return;
    }
    if (standsStill.getAsBoolean()) throw Problems.storeUnavailable().asException();
    if (!limit.enter()) throw Problems.busy(retryAfter).asException();
    var permit = new LoadPermit(limit);
    request.setAttribute(LoadPermit.class.getName(), permit);
    try {
      chain.doFilter(request, response);
    } finally {
      permit.giveUp();
    }
  }
}
