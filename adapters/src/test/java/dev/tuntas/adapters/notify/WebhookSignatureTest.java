package dev.tuntas.adapters.notify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSignatureTest {

  private static final byte[] BODY = "{\"a\":1}".getBytes(UTF_8);

  private final WebhookSignature ours = new WebhookSignature("a-secret-of-ours");
  private final String right = ours.of("id-1", 1_700_000_000, BODY);

  private boolean isIn(String header) {
    return ours.isIn(header, "id-1", "1700000000", BODY);
  }

  @Test
  void what_was_signed_is_recognised() {
    assertThat(isIn(right)).isTrue();
    assertThat(isIn("v1,AAAA v2,what " + right)).isTrue();
  }

  @Test
  void another_id_time_body_or_secret_is_not() {
    assertThat(ours.isIn(right, "id-2", "1700000000", BODY)).isFalse();
    assertThat(ours.isIn(right, "id-1", "1700000001", BODY)).isFalse();
    assertThat(ours.isIn(right, "id-1", "1700000000", "{\"a\": 1}".getBytes(UTF_8))).isFalse();
    assertThat(isIn(new WebhookSignature("another-secret").of("id-1", 1_700_000_000, BODY)))
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "v1,", "v1,AAAA", "v1,***", "v2,AAAA", "v1", ","})
  void garbage_is_not(String header) {
    assertThat(isIn(header)).isFalse();
  }

  @Test
  void no_more_than_five_are_read() {
    assertThat(isIn("v1,AAAA ".repeat(4) + right)).isTrue();
    assertThat(isIn("v1,AAAA ".repeat(5) + right)).isFalse();
    assertThat(isIn("v1,AAAA ".repeat(1_000) + right)).isFalse();
  }
}
