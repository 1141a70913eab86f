package dev.tuntas.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;

final class HeadersTest {

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      textBlock =
          """
          abc, abc
          "abc", abc
          `  abc `, abc
          "a"b", a"b
          ", "
          """)
  void a_key_is_read_without_the_quotes_around_it(String header, String key) {
    assertThat(IdempotencyKey.required(request("Idempotency-Key", header))).isEqualTo(key);
  }

  @Test
  void a_key_may_have_255_characters() {
    var key = "k".repeat(255);
    assertThat(IdempotencyKey.required(request("Idempotency-Key", key))).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   ", "\"\"", "a b", "a\tb", "ключ", "a\u0000", "a\u007f"})
  void a_key_of_anything_but_visible_ascii_is_refused(String key) {
    assertThat(code(request("Idempotency-Key", key))).isEqualTo("idempotency_key_invalid");
  }

  @Test
  void a_key_that_is_too_long_or_given_twice_is_refused() {
    assertThat(code(request("Idempotency-Key", "k".repeat(256))))
        .isEqualTo("idempotency_key_invalid");
    assertThat(code(request("Idempotency-Key", "a", "b"))).isEqualTo("idempotency_key_invalid");
  }

  @Test
  void a_request_without_a_key_hears_that_it_is_missing() {
    assertThat(code(new MockHttpServletRequest())).isEqualTo("idempotency_key_missing");
  }

  @ParameterizedTest
  @CsvSource({
    "wait=10, 10",
    "WAIT=10, 10",
    "wait = 0, 0",
    "wait=61, 60",
    "wait=999999999, 60",
    "wait=5;x=y, 5"
  })
  void a_preference_to_wait_is_cut_to_a_minute(String header, int seconds) {
    assertThat(Prefer.waiting(request("Prefer", header))).hasValue(Duration.ofSeconds(seconds));
  }

  @Test
  void a_preference_is_found_among_others() {
    assertThat(Prefer.waiting(request("Prefer", "respond-async, wait=7")))
        .hasValue(Duration.ofSeconds(7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "wait",
        "wait=",
        "wait=-1",
        "wait=1.5",
        "wait=abc",
        "wait=9999999999",
        "await=5"
      })
  void a_malformed_preference_is_ignored(String header) {
    assertThat(Prefer.waiting(request("Prefer", header))).isEmpty();
  }

  private static String code(MockHttpServletRequest request) {
    return catchThrowableOfType(ProblemException.class, () -> IdempotencyKey.required(request))
        .problem()
        .code();
  }

  private static MockHttpServletRequest request(String name, String... values) {
    var request = new MockHttpServletRequest();
    for (var value : values) request.addHeader(name, value);
    return request;
  }
}
