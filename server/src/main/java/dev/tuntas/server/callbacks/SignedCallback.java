package dev.tuntas.server.callbacks;

import dev.tuntas.server.http.JsonBody;
import dev.tuntas.server.http.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.util.regex.Pattern;

/// A callback as it came in, with the headers of the Standard Webhooks scheme.
record SignedCallback(String id, String timestamp, String signature, byte[] body) {

  private static final Pattern ID = Pattern.compile("[!-~]{1,180}");

  static SignedCallback read(HttpServletRequest request) {
    return new SignedCallback(
        header(request, "webhook-id"),
        header(request, "webhook-timestamp"),
        header(request, "webhook-signature"),
        JsonBody.bytes(request));
  }

  private static String header(HttpServletRequest request, String name) {
    var value = request.getHeader(name);
    if (value == null || value.isBlank()) {
      throw Problem.of(
              401,
              "signature_missing",
              "A callback has the headers webhook-id, webhook-timestamp and webhook-signature.")
          .asException();
    }
    return value.strip();
  }

  /// Whether it has a name under which it can be kept.
  boolean isNamed() {
    return ID.matcher(id).matches();
  }
}
