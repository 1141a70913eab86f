package dev.tuntas.server.http;

import io.micrometer.tracing.Tracer;
import jakarta.servlet.http.HttpServletRequest;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/// What a request is called in logs, traces and problems.
public final class TraceId {

  private static final String ATTRIBUTE = TraceId.class.getName();
  private static final SecureRandom CHANCE = new SecureRandom();

  private TraceId() {}

  /// The id of this request; every question gets the same answer.
  public static String of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof String known) return known;
    var made = made();
    request.setAttribute(ATTRIBUTE, made);
    return made;
  }

  /// Takes the id of the trace under way. False if there is none.
  static boolean adopt(HttpServletRequest request, @Nullable Tracer tracer) {
    var span = tracer == null ? null : tracer.currentSpan();
    if (span == null) return false;
    request.setAttribute(ATTRIBUTE, span.context().traceId());
    return true;
  }

  static String made() {
    var bytes = new byte[16];
    CHANCE.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
