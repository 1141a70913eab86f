package dev.tuntas.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// The key by which a client says that two requests are one.
public final class IdempotencyKey {

  public static final String HEADER = "Idempotency-Key";
  private static final int LENGTH_MAX = 255;

  private IdempotencyKey() {}

  /// The key, without the quotes that may surround it. Requests without one are refused.
  public static String required(HttpServletRequest request) {
    return optional(request)
        .orElseThrow(
            () ->
                Problem.of(
                        400,
                        "idempotency_key_missing",
                        "The header Idempotency-Key is missing: choose a text that is unique for"
                            + " this order, and send it again when you try again.")
                    .asException());
  }

  public static Optional<String> optional(HttpServletRequest request) {
    List<String> values = Collections.list(request.getHeaders(HEADER));
    if (values.isEmpty()) return Optional.empty();
    if (values.size() > 1) throw invalid("There is more than one Idempotency-Key.");
    return Optional.of(checked(values.getFirst()));
  }

  /// A key from anywhere, checked.
  public static String checked(String value) {
    var key = value.strip();
    if (key.length() >= 2 && key.startsWith("\"") && key.endsWith("\"")) {
      key = key.substring(1, key.length() - 1);
    }
    if (key.isEmpty()
        || key.length() > LENGTH_MAX
        || !key.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw invalid("An Idempotency-Key has 1 to 255 visible ASCII characters.");
    }
    return key;
  }

  private static ProblemException invalid(String detail) {
    return Problem.of(400, "idempotency_key_invalid", detail).asException();
  }
}
