package dev.tuntas.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import tools.jackson.databind.node.ObjectNode;

/// The body of a request: one JSON object, of limited size and depth, read strictly.
///
/// @param json the object
/// @param bytes as it came, for signatures
public record JsonBody(ObjectNode json, byte[] bytes) {

  public static final int BYTES_MAX = 64 * 1024;
  private static final Duration TIME_MAX = Duration.ofSeconds(10);
  private static final int CHUNK = 8 * 1024;

  /// Reads the body, or ends the request with a problem that says what is wrong with it.
  public static JsonBody read(HttpServletRequest request) {
    requireJson(request);
    var bytes = bytes(request);
    return new JsonBody(StrictJson.object(bytes), bytes);
  }

  /// The same of bytes that were read before.
  public static JsonBody of(byte[] bytes) {
    return new JsonBody(StrictJson.object(bytes), bytes);
  }

  /// Like [#read], for requests whose body may be left out.
  public static JsonBody readOrEmpty(HttpServletRequest request) {
    boolean none =
        request.getHeader("Transfer-Encoding") == null && request.getContentLengthLong() <= 0;
    return none
        ? new JsonBody(StrictJson.object("{}".getBytes(UTF_8)), new byte[0])
        : read(request);
  }

  public Fields fields() {
    return Fields.of(json);
  }

  /// The same for every way to write the same object.
  public String fingerprint() {
    return Fingerprint.of(json);
  }

  static Problem tooLarge() {
    return Problem.of(413, "body_too_large", "A body has at most 64 KB.");
  }

  private static void requireJson(HttpServletRequest request) {
    var encoding = request.getHeader("Content-Encoding");
    if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
      throw Problem.of(
              415, "content_encoding_unsupported", "A body is read as it is, not compressed.")
          .asException();
    }
    if (!isJson(request.getContentType())) {
      throw Problem.of(415, "media_type_unsupported", "Content-Type must be application/json.")
          .asException();
    }
  }

  private static boolean isJson(@Nullable String contentType) {
    if (contentType == null) return false;
    try {
      var type = MediaType.parseMediaType(contentType);
      var charset = type.getParameter("charset");
      return type.equalsTypeAndSubtype(MediaType.APPLICATION_JSON)
          && (charset == null || charset.equalsIgnoreCase("utf-8"));
    } catch (InvalidMediaTypeException _) {
      return false;
    }
  }

  /// The bytes of a body, within the limits of size and time.
  public static byte[] bytes(HttpServletRequest request) {
    var whole = new ByteArrayOutputStream();
    var chunk = new byte[CHUNK];
    long end = System.nanoTime() + TIME_MAX.toNanos();
    try {
      var stream = request.getInputStream();
      for (int read = stream.read(chunk); read >= 0; read = stream.read(chunk)) {
        whole.write(chunk, 0, read);
        if (whole.size() > BYTES_MAX) throw closing(tooLarge());
        if (System.nanoTime() > end) throw closing(tooSlow());
      }
    } catch (IOException _) {
      throw closing(tooSlow());
    }
    return whole.toByteArray();
  }

  private static Problem tooSlow() {
    return Problem.of(408, "request_timeout", "The body did not arrive whole within ten seconds.");
  }

  /// What else the client sends can no longer be told from a next request.
  private static ProblemException closing(Problem problem) {
    return problem.withHeader("Connection", "close").asException();
  }
}
