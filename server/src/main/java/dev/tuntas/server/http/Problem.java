package dev.tuntas.server.http;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What went wrong, as a client is told (RFC 9457). `code` is stable and safe to match on; the
/// sentences are for people. Nothing in it quotes what was sent.
public record Problem(
    int status,
    String code,
    String detail,
    List<FieldError> errors,
    Map<String, String> headers,
    Map<String, Object> extras) {

  /// One field that was refused, by its JSON pointer.
  public record FieldError(String pointer, String code, String message) {}

  public Problem {
    errors = List.copyOf(errors);
    headers = Map.copyOf(headers);
  }

  public static Problem of(int status, String code, String detail) {
    return new Problem(status, code, detail, List.of(), Map.of(), Map.of());
  }

  /// What nobody has, or nobody may know of: every such answer reads the same.
  public static Problem notFound() {
    return of(404, "not_found", "There is nothing here.");
  }

  public static Problem at(int status, String pointer, String code, String message) {
    return of(status, code, message).withErrors(List.of(new FieldError(pointer, code, message)));
  }

  public Problem withErrors(List<FieldError> more) {
    return new Problem(status, code, detail, more, headers, extras);
  }

  public Problem withHeader(String name, String value) {
    var more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Problem(status, code, detail, errors, more, extras);
  }

  /// When to try again, at least a second from now.
  public Problem retryAfter(Duration wait) {
    return withHeader("Retry-After", Long.toString(Math.max(1, wait.plusMillis(999).toSeconds())));
  }

  /// A member beside the standard ones, such as `order_id`.
  public Problem with(String member, Object value) {
    var more = new LinkedHashMap<>(extras);
    more.put(member, value);
    return new Problem(status, code, detail, errors, headers, more);
  }

  public ProblemException asException() {
    return new ProblemException(this);
  }
}
