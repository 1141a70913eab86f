package dev.tuntas.server.load;

import dev.tuntas.server.access.Route;
import dev.tuntas.server.http.Problems;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.web.filter.OncePerRequestFilter;

/// Refuses work that could not be done in time, before its body is read.
public final class LoadFilter extends OncePerRequestFilter {

  private final LoadLimit limit;
  private final Duration retryAfter;

  public LoadFilter(LoadLimit limit, Duration retryAfter) {
    this.limit = limit;
    this.retryAfter = retryAfter;
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
