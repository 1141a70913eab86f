package dev.tuntas.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tuntas.server.RawRequest;
import dev.tuntas.server.TestServer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Good requests with something wrong somewhere: whatever it is, it is the client's fault.
final class MutationTest {

  private static final LocalDate CHECK_IN = LocalDate.now(ZoneOffset.UTC).plusDays(40);

  private static final List<String> BODIES =
      List.of(
          "{\"kind\":\"checkout\",\"customer_id\":\"cus-1\",\"payment_method\":\"pm_ok\",\"lines\":[{\"sku\":\"SKU-1\",\"quantity\":2}]}",
          "{\"kind\":\"booking\",\"customer_id\":\"cus-1\",\"payment_method\":\"pm_ok\",\"room_id\":\"ROOM-STD\",\"rooms\":1,\"check_in\":\""
              + CHECK_IN
              + "\",\"check_out\":\""
              + CHECK_IN.plusDays(2)
              + "\",\"contact\":{\"email\":\"a@b.de\",\"phone\":\"+62 81234\"}}");
  private static final List<String> ODDITIES =
      List.of(
          "null",
          "true",
          "[]",
          "{}",
          "-1",
          "1e400",
          "1e-400",
          "0.1",
          "99999999999999999999",
          "\"\"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "\"2027-02-30\"",
          "[[[[[[]]]]]]",
          "\"" + "x".repeat(3000) + "\"");

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void no_mutation_of_a_request_is_the_servers_fault(long seed) {
    var chance = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (int i = 0; i < 40; i++) {
      var request = mutated(chance, seed + "-" + i);
      var answer = new RawRequest(request).answer();
      var sent = new String(request, StandardCharsets.ISO_8859_1);
      assertThat(answer).as("seed %s: %s", seed, sent).matches("(?s)HTTP/1.1 (2|4|501|505).*");
      assertThat(answer).as("seed %s: %s", seed, sent).doesNotContain("Exception");
    }
  }

  private static byte[] mutated(RandomGenerator chance, String key) {
    var body = BODIES.get(chance.nextInt(BODIES.size()));
    for (int i = chance.nextInt(3); i >= 0; i--) body = withOddity(body, chance);
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    if (chance.nextInt(3) == 0) bytes = withByteChanged(bytes, chance);
    var head =
        "POST /api/v1/orders HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
            + TestServer.CLIENT_KEY
            + "\r\nIdempotency-Key: mutation-"
            + key
            + "\r\nContent-Type: application/json\r\n";
    var headBytes = head.getBytes(StandardCharsets.ISO_8859_1);
    if (chance.nextInt(4) == 0) headBytes = withByteChanged(headBytes, chance);
    var all = new ByteArrayOutputStream();
    all.writeBytes(headBytes);
    all.writeBytes(
        ("Content-Length: " + bytes.length + "\r\nConnection: close\r\n\r\n")
            .getBytes(StandardCharsets.ISO_8859_1));
    all.writeBytes(bytes);
    return all.toByteArray();
  }

  /// Puts something odd in the place of one value.
  private static String withOddity(String body, RandomGenerator chance) {
    var colons = body.chars().filter(c -> c == ':').count();
    int chosen = chance.nextInt((int) colons);
    int at = -1;
    for (int i = 0; i <= chosen; i++) at = body.indexOf(':', at + 1);
    int end = at + 1;
    while (end < body.length() && ",}]".indexOf(body.charAt(end)) < 0) end++;
    var oddity = ODDITIES.get(chance.nextInt(ODDITIES.size()));
    return body.substring(0, at + 1) + oddity + body.substring(end);
  }

  /// Anything but the end of a line, which would leave the server waiting for the rest.
  private static byte[] withByteChanged(byte[] bytes, RandomGenerator chance) {
    var changed = Arrays.copyOf(bytes, bytes.length);
    int at = chance.nextInt(changed.length);
    int to = chance.nextInt(256);
    boolean line = changed[at] == '\r' || changed[at] == '\n' || to == '\r' || to == '\n';
    if (!line) changed[at] = (byte) to;
    return changed;
  }
}
