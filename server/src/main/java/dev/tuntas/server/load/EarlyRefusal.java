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
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.springframework.web.filter.OncePerRequestFilter;

/// Refuses new orders before anything else is done about them, while there is no room. Under ten
/// times the load that the machine carries nearly all of its work is saying no: that has to be
/// cheap, or nothing is left for those who were let in. Who is asking is not looked at.
///
/// Even that costs something, most of all to clients that ask again at once whatever they are told.
/// So only so many are refused per second, and others are kept waiting for it, up to a moment.
public final class EarlyRefusal extends OncePerRequestFilter {

  /// More would cost more memory than they save.
  private static final int HELD_MAX = 2_000;

  private final LoadLimit limit;
  private final Ration ration;
  private final Problem busy;
  private final Pace pace;
  private final LongSupplier nanoTime;
  private final Waiting waiting;
  private final Semaphore held = new Semaphore(HELD_MAX);

  /// Waits for a while.
  @FunctionalInterface
  public interface Waiting {
    void await(Duration time) throws InterruptedException;
  }

  public EarlyRefusal(
      LoadLimit limit,
      Ration ration,
      Duration retryAfter,
      Pace pace,
      LongSupplier nanoTime,
      Waiting waiting) {
    this.limit = limit;
    this.ration = ration;
    this.busy = Problems.busy(retryAfter);
    this.pace = pace;
    this.nanoTime = nanoTime;
    this.waiting = waiting;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    if (!isOrder(request) || (limit.hasRoom() && ration.lets())) {
      chain.doFilter(request, response);
      return;
    }
    hold();
    Edge.addHeaders(response);
    Problems.write(busy, request, response);
  }

  private void hold() {
    var time = pace.turn(nanoTime.getAsLong());
    if (time.isZero() || !held.tryAcquire()) return;
    try {
      waiting.await(time);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      held.release();
    }
  }

  private static boolean isOrder(HttpServletRequest request) {
    return request.getMethod().equals("POST") && request.getRequestURI().equals("/api/v1/orders");
  }
}
