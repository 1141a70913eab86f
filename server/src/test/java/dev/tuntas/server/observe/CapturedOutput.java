package dev.tuntas.server.observe;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// All that the process prints while this is open.
final class CapturedOutput implements AutoCloseable {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final PrintStream out = System.out;
  private final PrintStream err = System.err;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  CapturedOutput() {
    var capture = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    System.setOut(capture);
    System.setErr(capture);
  }

  String text() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  /// The lines of the log.
  List<JsonNode> log() {
    return text().lines().filter(line -> line.startsWith("{\"@")).map(JSON::readTree).toList();
  }

  /// Those that begin so and are about an order.
  List<JsonNode> log(String message, String orderId) {
    return log().stream()
        .filter(line -> line.path("message").asString().startsWith(message))
        .filter(line -> line.path("order_id").asString("").equals(orderId))
        .toList();
  }

  @Override
  public void close() {
    System.setOut(out);
    System.setErr(err);
  }
}
