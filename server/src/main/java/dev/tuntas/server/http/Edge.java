package dev.tuntas.server.http;

import io.micrometer.tracing.Tracer;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;
import org.springframework.web.filter.OncePerRequestFilter;

/// The first thing a request meets: its limits, and the headers that every answer carries. What
/// fails further in and was not answered there is answered here.
public final class Edge extends OncePerRequestFilter {

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT");
  private static final int URI_MAX = 8 * 1024;
  private static final int HEADERS_MAX = 100;
  private static final int HEADER_BYTES_MAX = 16 * 1024;

  /// Its name in the log.
  private static final String TRACE_ID = "trace_id";

  private final @Nullable Tracer tracer;

  public Edge(@Nullable Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    boolean traced = TraceId.adopt(request, tracer);
    if (!traced) MDC.put(TRACE_ID, TraceId.of(request)); // else the tracer has done so
    addHeaders(response);
    try {
      refuseWhatIsTooMuch(request);
      chain.doFilter(request, response);
    } catch (ProblemException e) {
      Problems.write(e.problem(), request, response);
    } catch (RuntimeException | ServletException e) {
      Problems.write(Problems.of(e), request, response);
    } finally {
      if (!traced) MDC.remove(TRACE_ID);
    }
  }

  private static void refuseWhatIsTooMuch(HttpServletRequest request) {
    if (!METHODS.contains(request.getMethod())) {
      throw Problem.of(501, "method_unknown", "There is no such method.").asException();
    }
    var query = request.getQueryString();
    int length = request.getRequestURI().length() + (query == null ? 0 : query.length() + 1);
    if (length > URI_MAX) {
      throw Problem.of(414, "uri_too_long", "The address is longer than 8 KB.").asException();
    }
    refuseManyHeaders(request);
    if (request.getContentLengthLong() > JsonBody.BYTES_MAX) {
      throw JsonBody.tooLarge().withHeader("Connection", "close").asException();
    }
  }

  private static void refuseManyHeaders(HttpServletRequest request) {
    int count = 0;
    int bytes = 0;
    for (var name : Collections.list(request.getHeaderNames())) {
      for (var value : Collections.list(request.getHeaders(name))) {
        count++;
        bytes += name.length() + value.length() + 4;
      }
    }
    if (count > HEADERS_MAX || bytes > HEADER_BYTES_MAX) throw headersTooLarge().asException();
  }

  static Problem headersTooLarge() {
    return Problem.of(
        431, "headers_too_large", "The headers are larger than 16 KB, or more than 100.");
  }

  /// What keeps a browser from doing more with an answer than show it. No script but our own, no
  /// foreign host, no frame, no copy kept.
  public static void addHeaders(HttpServletResponse response) {
    response.setHeader(
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src"
            + " 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    response.setHeader("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    response.setHeader("Cache-Control", "no-store");
  }
}
