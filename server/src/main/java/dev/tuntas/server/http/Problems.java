package dev.tuntas.server.http;

import dev.tuntas.engine.EngineBusyException;
import dev.tuntas.engine.StoreException;
import dev.tuntas.engine.Trouble;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.servlet.NoHandlerFoundException;
import org.springframework.web.servlet.resource.NoResourceFoundException;
import tools.jackson.databind.json.JsonMapper;

/// The one place where a failure becomes an answer.
public final class Problems {

  public static final String MEDIA_TYPE = "application/problem+json";

  private static final Logger log = LoggerFactory.getLogger(Problems.class);
  private static final Trouble UNAVAILABLE = new Trouble(log, "Serving a request");
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Problems() {}

  /// What a client is told of an exception. What nobody planned for is logged, and told as nothing
  /// but an internal error.
  public static Problem of(Throwable failure) {
    return switch (failure) {
      case ProblemException planned -> planned.problem();
      case StoreException store when store.kind() == StoreException.Kind.BAD_DATA ->
          unexpected(failure);
      case StoreException _ -> unavailable(failure);
      case EngineBusyException _ -> busy(Duration.ofSeconds(1));
      case NoHandlerFoundException _, NoResourceFoundException _ -> Problem.notFound();
      case HttpMediaTypeNotAcceptableException _ -> notAcceptable();
      case HttpRequestMethodNotSupportedException wrong ->
          methodNotAllowed(String.join(", ", nonNull(wrong.getSupportedMethods())));
      case InvalidParameterException _, TypeMismatchException _ -> parameterInvalid();
      case ErrorResponse refused when refused.getStatusCode().is4xxClientError() ->
          parameterInvalid();
      default -> unexpected(failure);
    };
  }

  private static Problem parameterInvalid() {
    return Problem.of(
        400, "parameter_invalid", "A parameter is missing, repeated, too many, or cannot be read.");
  }

  private static String[] nonNull(String @Nullable [] methods) {
    return methods == null ? new String[0] : methods;
  }

  private static Problem unexpected(Throwable failure) {
    log.error("A request failed in a way nobody planned for", failure);
    return Problem.of(500, "internal_error", "Something went wrong here; it was noted.");
  }

  private static Problem unavailable(Throwable failure) {
    UNAVAILABLE.failed(failure.toString());
    return storeUnavailable();
  }

  public static Problem storeUnavailable() {
    return Problem.of(
            503,
            "store_unavailable",
            "The database does not answer, so nothing was decided. Try again with the same key.")
        .retryAfter(Duration.ofSeconds(2));
  }

  /// More work than the machine carries.
  public static Problem busy(Duration retryAfter) {
    return Problem.of(
            503, "overloaded", "There is more to do than can be done now. Try again shortly.")
        .retryAfter(retryAfter);
  }

  public static Problem notAcceptable() {
    return Problem.of(406, "not_acceptable", "This is told as JSON only; Accept must allow that.");
  }

  public static Problem methodNotAllowed(String allowed) {
    return Problem.of(
            405, "method_not_allowed", "The methods that exist here are: " + allowed + ".")
        .withHeader("Allow", allowed);
  }

  /// Writes the answer, unless another one has begun.
  public static void write(
      Problem problem, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (response.isCommitted()) return;
    response.resetBuffer();
    response.setStatus(problem.status());
    problem.headers().forEach(response::setHeader);
    response.setHeader("Cache-Control", "no-store");
    response.setContentType(MEDIA_TYPE);
    var body = JSON.writeValueAsBytes(body(problem, request.getRequestURI(), TraceId.of(request)));
    response.setContentLength(body.length);
    if (!request.getMethod().equals("HEAD")) response.getOutputStream().write(body);
  }

  static byte[] bytes(Problem problem, @Nullable String path, String traceId) {
    return JSON.writeValueAsBytes(body(problem, path, traceId));
  }

  private static Map<String, Object> body(Problem problem, @Nullable String path, String traceId) {
    var body = new LinkedHashMap<String, Object>();
    body.put("type", "/docs#" + problem.code());
    body.put("title", title(problem.status()));
    body.put("status", problem.status());
    body.put("detail", problem.detail());
    if (path != null && path.length() <= 200 && path.matches("[/A-Za-z0-9._-]*")) {
      body.put("instance", path);
    }
    body.put("code", problem.code());
    body.put("trace_id", traceId);
    if (!problem.errors().isEmpty()) body.put("errors", problem.errors());
    body.putAll(problem.extras());
    return body;
  }

  private static String title(int status) {
    var known = HttpStatus.resolve(status);
    return known == null ? "Error" : known.getReasonPhrase();
  }
}
