package dev.tuntas.server.load;

import dev.tuntas.server.http.Edge;
import dev.tuntas.server.http.Problem;
import dev.tuntas.server.http.Problems;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.springframework.web.filter.OncePerRequestFilter;

/// Refuses new orders before anything else is done about them, while there is no room. Under ten
/// times the load that the machine carries nearly all of its work is saying no: that has to be
/// cheap, or nothing is left for those who were let in. Who is asking is not looked at.
public final class EarlyRefusal extends OncePerRequestFilter {

  private final LoadLimit limit;
  private final Problem busy;

  public EarlyRefusal(LoadLimit limit, Duration retryAfter) {
    this.limit = limit;
    this.busy = Problems.busy(retryAfter);
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (!isOrder(request) || limit.hasRoom()) {
      chain.doFilter(request, response);
      return;
    }
    Edge.addHeaders(response);
    Problems.write(busy, request, response);
  }

  private static boolean isOrder(HttpServletRequest request) {
    return request.getMethod().equals("POST") && request.getRequestURI().equals("/api/v1/orders");
  }
}
